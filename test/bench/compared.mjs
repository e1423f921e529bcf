import { deepStrictEqual } from 'node:assert/strict';
import { compare, drive } from './load.mjs';
import { heading, line } from './report.mjs';
import { floor as floorRequest } from './scenarios.mjs';
import { startFloor, startGateway, startPeers } from './stage.mjs';

/** Runs scenarios on the gateway, the floor and the peers in turn, and prints their figures. */
export async function measureScenarios(
  database,
  chosen,
  { jobCount, rounds, amount, warmUp, connectionCounts },
) {
  const all = [];
  const floor = { name: 'floor', server: await startFloor(database) };
  // Peers need a MongoDB server: the built-in store serves only one process.
  const hasPeers = database.server && chosen.some(([, scenario]) => scenario.peers);
  const peers = hasPeers ? await startPeers(database) : [];
  if (hasPeers && peers.length === 0)
    console.log('Without the peers, which take: npm install --prefix test/bench/peer\n');
  console.log(heading);
  for (const quota of new Set(chosen.map(([, scenario]) => scenario.quota))) {
    const { server, ...tokens } = await startGateway(database, quota);
    const target = { jobCount, ...tokens };
    for (const [name, scenario] of chosen.filter(([, each]) => each.quota === quota)) {
      const { next, status, share = 1, peers: against = [] } = scenario;
      const answering = [{ name: 'gateway', server }, ...peers.filter(({ name }) => against.includes(name))];
      if (answering.length > 1) await compareReplies(name, scenario, target, answering);
      for (const connections of connectionCounts) {
        const sides = [
          ...answering.map((side) => ({
            ...side,
            next: () => next(target),
            status,
            amount: Math.ceil(amount * share),
          })),
          { ...floor, next: () => floorRequest(target), status: 200, amount },
        ].map((side) => ({ ...side, connections }));
        // Warm up: let the compilers finish on all sides.
        for (const side of sides)
          await drive(side.server, {
            ...side,
            amount: Math.max(side.amount, Math.ceil((warmUp * side.amount) / amount)),
          });
        for (const figures of await compare(sides, rounds)) {
          const measured = { name, connections, ...figures };
          all.push(measured);
          console.log(line(measured));
        }
      }
    }
    await server.stop();
  }
  for (const side of [floor, ...peers]) await side.server.stop();
  return all;
}

/** @throws AssertionError if a side returns other data for the same request than the gateway, which is the first side */
async function compareReplies(name, { next, varying = [] }, target, sides) {
  const { path, ...request } = next(target);
  const replies = [];
  for (const { server } of sides) {
    const reply = await globalThis.fetch(server.url + path, request);
    replies.push(dataOf(await reply.text(), varying));
  }
  for (const [index, reply] of replies.entries())
    deepStrictEqual(reply, replies[0], `${name}: ${sides[index].name} answers differently from the gateway`);
}

const dataOf = (body, varying) =>
  JSON.parse(body, (key, value) => (varying.includes(key) ? undefined : value)).data;
