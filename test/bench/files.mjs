import { once } from 'node:events';
import { scenarios } from './scenarios.mjs';
import { startGateway } from './stage.mjs';

/** The project's files whose functions run in a warm update over REST. */
export async function filesOfUpdate(database, jobCount) {
  const { server, ...tokens } = await startGateway(database, undefined, './coverage-probe.mjs');
  const update = async () => {
    const { path, ...request } = scenarios['updateJob REST JSON'].next({ jobCount, ...tokens });
    const { status } = await globalThis.fetch(server.url + path, request);
    if (status !== 200) throw new Error(`expected 200, not ${status}`);
  };
  const filesSince = async () => {
    server.child.send('files');
    return (await once(server.child, 'message'))[0];
  };
  for (let count = 0; count < 20; count += 1) await update();
  const files = await filesSince();
  const calls = [];
  while (calls.length < 5) {
    await update();
    calls.push(new Set(await filesSince()));
  }
  await server.stop();
  // A timer may run meanwhile: keep only the files that ran in every update.
  return files
    .filter((url) => calls.every((ran) => ran.has(url)) && !url.includes('/node_modules/'))
    .map((url) => /\/dist\/(.*)\.js$/.exec(url)?.[1])
    .filter(Boolean)
    .sort();
}
