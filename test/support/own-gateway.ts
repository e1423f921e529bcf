import { afterAll, beforeAll } from '@jest/globals';
import { startTestGateway, type TestGateway } from './gateway.js';

/** Starts a gateway for the tests of a file. The returned object has no properties before the start. */
export function ownGateway(...given: Parameters<typeof startTestGateway>): TestGateway {
  const gateway = {} as TestGateway;
  beforeAll(async () => void Object.assign(gateway, await startTestGateway(...given)));
  afterAll(async () => {
    await gateway.stop();
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
