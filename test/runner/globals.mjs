import { current } from './runner.mjs';

const isOfOneFile = import.meta.url.includes('?');

/** A module that several files share imports these once, and gets at those of the file that runs. */
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
