import { afterEach, expect, it, jest } from '@jest/globals';
import { BusiestCallers } from '../../src/log/busiest-callers.js';
import { startTestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { rest } from '../support/requests.js';

const { log, lines } = logInMemory();
const told = () =>
  lines
    .map((line) => JSON.parse(line) as { msg: string; callers?: unknown })
    .filter(({ msg }) => msg === 'calls were shed: these callers used the database most')
    .map(({ callers }) => callers);

afterEach(() => {
  jest.useRealTimers();
  lines.length = 0;
});

it('a minute in which calls were shed ends with a line of the five callers with most database time, any other with none (Contract 11.5.3)', () => {
  jest.useFakeTimers();
  const busiest = new BusiestCallers(log);
  const add = () => {
    for (const [at, caller] of ['a', 'b', 'c', 'd', 'e', 'f', 'a'].entries()) busiest.add(caller, at + 0.2);
  };
  add();
  jest.advanceTimersByTime(60_000);
  expect(told()).toEqual([]);
  add();
  busiest.noteShed();
  jest.advanceTimersByTime(60_000);
  const most = [
    ['a', 6],
    ['f', 5],
    ['e', 4],
    ['d', 3],
    ['c', 2],
  ] as const;
  expect(told()).toEqual([most.map(([caller, databaseMs]) => ({ caller, databaseMs }))]);
  jest.advanceTimersByTime(120_000);
  expect(told()).toHaveLength(1);
  busiest.stop();
});

it('a gateway that sheds calls names the caller that keeps its database busy (Contract 11.5.3)', async () => {
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const),
      ...(['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
    ],
  });
  const gateway = await startTestGateway({ MAX_IN_FLIGHT: '1' }, { log });
  const token = await gateway.token();
  const read = () => rest(gateway, 'GET', '/jobs/acme-backend-engineer', undefined, { token });
  const replies = await Promise.all(Array.from({ length: 20 }, read));
  await read();
  jest.advanceTimersByTime(60_000);
  await gateway.stop();
  expect(replies.map(({ status }) => status)).toContain(503);
  const callers = told()[0] as { caller: string; databaseMs: number }[];
  expect(callers).toMatchObject([{ caller: expect.stringMatching(/^[\da-f]{12}$/) }]);
  expect(callers[0]?.databaseMs).toBeGreaterThan(0);
});
