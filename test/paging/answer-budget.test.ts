import { describe, expect, it } from '@jest/globals';
import { AnswerBudget } from '../../src/paging/answer-budget.js';

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
  it('of one caller run one after another, also after a failure, and those of others at once (Contract 8.4.12)', async () => {
    const [first, second, foreign] = [new Query(), new Query(), new Query()];
    const failing = new AnswerBudget('one').inTurn(first.run);
    const waiting = new AnswerBudget('one').inTurn(second.run);
    const other = new AnswerBudget('other').inTurn(foreign.run);
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
});
