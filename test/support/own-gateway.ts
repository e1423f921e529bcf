import { afterAll, beforeAll } from '@jest/globals';
import { rmSync } from 'node:fs';
import { startTestGateway, type TestGateway } from './gateway.js';

/** The gateways that the files of this worker share, by their settings. */
const shared = new Map<string, Promise<TestGateway>>();

/**
 * A worker ends its process without a word, so its gateways need no stop. Other settings, and a database of its own, whose server would
 * keep what a worker leaves, get a gateway that the file stops.
 */
const isShareable = (environment: Record<string, string>, options: object | undefined): boolean =>
  process.send !== undefined &&
  !process.env.MONGODB_URI &&
  !options &&
  Object.keys(environment).every((name) => name === 'ARCHIVER');

function sharedGateway(environment: Record<string, string>): Promise<TestGateway> {
  const key = JSON.stringify(environment);
  const starting = shared.get(key) ?? startTestGateway(environment);
  if (!shared.has(key))
    void starting.then(({ settings }) =>
      process.on('exit', () => rmSync(settings.dataDir, { recursive: true, force: true })),
    );
  shared.set(key, starting);
  return starting;
}

/**
 * Starts a gateway for the tests of a file, or empties the one of its worker with the same usual settings. The returned object has no
 * properties before the start.
 */
export function ownGateway(
  environment: Record<string, string> = {},
  options?: Parameters<typeof startTestGateway>[1],
): TestGateway {
  const gateway = {} as TestGateway;
  const isShared = isShareable(environment, options);
  beforeAll(async () => {
    if (!isShared) return void Object.assign(gateway, await startTestGateway(environment, options));
    const isStarted = shared.has(JSON.stringify(environment));
    Object.assign(gateway, await sharedGateway(environment));
    if (isStarted) await gateway.empty();
  });
  afterAll(async () => {
    if (!isShared) await gateway.stop();
    // The modules of test files stay in memory.
    for (const key of Object.keys(gateway)) Reflect.deleteProperty(gateway, key);
  });
  return gateway;
}

/**
 * Starts one gateway for each environment that a test asks for. Tests share the gateways, so a test must not change what another test
 * reads.
 */
export function ownGateways(): (environment?: Record<string, string>) => Promise<TestGateway> {
  const started = new Map<string, TestGateway>();
  afterAll(async () => {
    await Promise.all([...started.values()].map((gateway) => gateway.stop()));
    started.clear();
  });
  return async (environment = {}) => {
    const key = JSON.stringify(environment);
    const gateway = started.get(key) ?? (await startTestGateway(environment));
    started.set(key, gateway);
    return gateway;
  };
}
