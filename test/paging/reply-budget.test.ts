import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ReplyBudget } from '../../src/paging/reply-budget.js';

/** A query that ends when the test says so. */
class Query {
  isStarted = false;
  end: (error?: Error) => void = () => undefined;

  run = () => {
    this.isStarted = true;
    return new Promise<void>((resolve, reject) => {
      this.end = (error) => (error ? reject(error) : resolve());
    });
  };
}

const turnOfEventLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('costly queries', () => {
  afterEach(() => void jest.useRealTimers());

  it('of one caller run one after another, also after a failure, and queries of other callers run at once (Contract 4.3.8)', async () => {
    const [first, second, foreign] = [new Query(), new Query(), new Query()];
    const failing = new ReplyBudget('one').inTurn(first.run);
    const waiting = new ReplyBudget('one').inTurn(second.run);
    const other = new ReplyBudget('other').inTurn(foreign.run);
    await turnOfEventLoop();
    expect([first, second, foreign].map(({ isStarted }) => isStarted)).toEqual([true, false, true]);
    first.end(new Error('no answer'));
    foreign.end();
    await expect(failing).rejects.toThrow('no answer');
    await other;
    await turnOfEventLoop();
    expect(second.isStarted).toBe(true);
    second.end();
    await waiting;
  });

  it('of one caller wait at most 5 s for each other, then are 503 and never run (Contract 4.3.8)', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'queueMicrotask', 'nextTick'] });
    const [first, second, third] = [new Query(), new Query(), new Query()];
    const running = new ReplyBudget('one').inTurn(first.run);
    const late = new ReplyBudget('one').inTurn(second.run).catch((error: unknown) => error);
    jest.advanceTimersByTime(1_000);
    const patient = new ReplyBudget('one').inTurn(third.run);
    jest.advanceTimersByTime(4_500);
    expect(await late).toMatchObject({ code: 'service-unavailable', details: { retryAfterSeconds: 1 } });
    expect(third.isStarted).toBe(false);
    first.end();
    await running;
    await turnOfEventLoop();
    expect([second.isStarted, third.isStarted]).toEqual([false, true]);
    third.end();
    await patient;
  });
});
