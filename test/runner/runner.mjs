import module from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = module.createRequire(import.meta.url);
const circus = join(dirname(require.resolve('jest-circus')), 'jestAdapterInit.js');
let files = 0;

/** What `@jest/globals` has for the test file that runs. */
export const current = {};

// Node.js 20 has only the one that later ones deprecate.
if (module.registerHooks) module.registerHooks(await import('./loader.mjs'));
else module.register('./loader.mjs', import.meta.url);
process.setSourceMapsEnabled(true);

/**
 * Runs a test file with jest's own circus, but has Node.js load the modules: once for all files of a worker. Jest would
 * read and compile every package anew for each file, which took half of the suite's processor time.
 */
export default async function runFile(
  globalConfig,
  config,
  environment,
  runtime,
  testPath,
  sendMessageToJest,
) {
  // Node.js maps stacks to the sources itself; jest's own way knows only what jest has loaded.
  Error.prepareStackTrace = undefined;
  // The list of tests lives in the module, and its listeners in the process.
  delete require.cache[circus];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  const { initialize, runAndTransformResultsToJestFormat } = require(circus);
  await initialize({
    config,
    environment,
    globalConfig,
    localRequire: require,
    parentProcess: process,
    runtime,
    sendMessageToJest,
    setGlobalsForRuntime: (globals) =>
      Object.assign(current, globals, { jest: runtime.jestGlobals.jestObjectFor(testPath) }),
    testPath,
  });
  files += 1;
  for (const path of [...config.setupFilesAfterEnv, testPath])
    await import(`${pathToFileURL(path).href}?${files}`);
  return runAndTransformResultsToJestFormat({ config, globalConfig, testPath });
}
