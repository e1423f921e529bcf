import asyncHooks from 'node:async_hooks';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './typescript.mjs';

const require = module.createRequire(import.meta.url);
const circus = join(dirname(require.resolve('jest-circus')), 'jestAdapterInit.js');
let files = 0;

// A worker that jest asks to end stops listening, and has 500 ms. Agenda keeps a timer of 5 s after each task, so end the worker here.
process.on('removeListener', (event) => {
  if (event === 'message' && process.send) process.exit();
});

/**
 * Holds circus's state of the running test, one at a time. Circus itself uses an `AsyncLocalStorage`: Node.js 20 copies each promise into
 * it, a twentieth of the suite's processor time.
 */
class TestContext {
  #current;
  getStore() {
    return this.#current;
  }
  async run(context, next) {
    const outer = this.#current;
    this.#current = context;
    try {
      return await next();
    } finally {
      this.#current = outer;
    }
  }
}

function loadCircus() {
  const own = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: TestContext, configurable: true });
  try {
    return require(circus);
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', own);
  }
}

/** The exports of `@jest/globals` for the running test file. */
export const current = {};

/**
 * Runs a test file with jest-circus, but lets Node.js load the modules, once per worker. Jest would load and compile every package for
 * each test file: half of the suite's processor time.
 */
export default async function runFile(
  globalConfig,
  config,
  environment,
  runtime,
  testPath,
  sendMessageToJest,
) {
  // Let Node.js map stack traces: jest maps only modules that jest loaded.
  Error.prepareStackTrace = undefined;
  // Empty the list of tests: circus keeps the list and its event handlers on `globalThis`.
  delete require.cache[circus];
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'].includes(symbol.description)) delete globalThis[symbol];
  const { initialize, runAndTransformResultsToJestFormat } = loadCircus();
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
