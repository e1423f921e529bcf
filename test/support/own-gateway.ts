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
