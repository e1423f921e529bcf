import { current } from './runner.mjs';

const isOfOneFile = import.meta.url.includes('?');

/** A shared module imports these functions once for all test files, so forward each call to the running file. */
const named = (name) =>
  isOfOneFile
    ? current[name]
    : new Proxy(() => undefined, {
        apply: (_, self, given) => current[name](...given),
        get: (_, key) => current[name][key],
      });

export const afterAll = named('afterAll');
export const afterEach = named('afterEach');
export const beforeAll = named('beforeAll');
export const beforeEach = named('beforeEach');
export const describe = named('describe');
export const expect = named('expect');
export const it = named('it');
export const jest = named('jest');
export const test = named('test');
