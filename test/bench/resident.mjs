import { once } from 'node:events';
import { drive } from './load.mjs';
import { ServingProcess } from './processes.mjs';
import { scenarios } from './scenarios.mjs';
import { startGateway } from './stage.mjs';

const mib = 2 ** 20;

/** After each number of updates in `marks`, measures the resident memory, then the heap after a garbage collection. */
export async function measureMemory(database, { jobCount, isQuick }) {
  const marks = [0, 10_000, 40_000, 70_000, 100_000].map((updates) => (isQuick ? updates / 10 : updates));
  const { server, ...tokens } = await startGateway(database, undefined, './memory-probe.mjs');
  const { next, status } = scenarios['updateJob GraphQL'];
  const measured = [];
  let done = 0;
  for (const updates of marks) {
    const amount = updates - done;
    if (amount > 0)
      await drive(server, { next: () => next({ jobCount, ...tokens }), status, amount, connections: 16 });
    done = updates;
    const residentMiB = server.residentMiB();
    server.child.send('memory');
    const [{ heapUsed }] = await once(server.child, 'message');
    measured.push({ updates, residentMiB, heapMiB: heapUsed / mib });
  }
  await server.stop();
  return measured;
}

export async function measureStart(folder, runs) {
  const startMs = [];
  for (let run = 0; run < runs; run += 1) {
    const environment = { NODE_ENV: 'development', PORT: '0', DATA_DIR: `${folder}/start-${run}` };
    const server = await ServingProcess.start('../../dist/main.js', environment, `${folder}/start.log`);
    startMs.push(server.startMs);
    await server.stop();
  }
  return startMs;
}
