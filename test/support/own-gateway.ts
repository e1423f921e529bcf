import { afterAll, beforeAll } from '@jest/globals';
import { startTestGateway, type TestGateway } from './gateway.js';

/**
 * The gateway of a test file: started before its tests and stopped after them. Nothing of it is there until then.
 * @see startTestGateway for the parameters
 */
export function ownGateway(...given: Parameters<typeof startTestGateway>): TestGateway {
  const gateway = {} as TestGateway;
  beforeAll(async () => void Object.assign(gateway, await startTestGateway(...given)));
  afterAll(() => gateway.stop());
  return gateway;
}

/** Gateways of a test file, one for each environment that its tests ask for, stopped after them. None may change what another asks for. */
export function ownGateways(): (environment?: Record<string, string>) => Promise<TestGateway> {
  const started = new Map<string, TestGateway>();
  afterAll(() => Promise.all([...started.values()].map((gateway) => gateway.stop())));
  return async (environment = {}) => {
    const key = JSON.stringify(environment);
    const gateway = started.get(key) ?? (await startTestGateway(environment));
    started.set(key, gateway);
    return gateway;
  };
}
