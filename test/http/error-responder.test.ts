import { beforeEach, describe, expect, it } from '@jest/globals';
import { OperationCost, type RequestContext, RequestWork } from '../../src/permissions/request-context.js';
import { DomainError, outOfReach, unavailable } from '../../src/errors/domain-error.js';
import { ErrorResponder } from '../../src/http/error-responder.js';

const limited = new DomainError('rate-limit-exceeded', { retryAfterSeconds: 7 });
const foreign = new DomainError('unauthorized-limitation', { isFailure: true });
const invalid = new DomainError('validation-failed');

let spent: string[];
let counted: object[];
let reported: string[];
beforeEach(() => void ([spent, counted, reported] = [[], [], []]));

const exitWith = (isOverdrawn: boolean): ErrorResponder =>
  new ErrorResponder(
    {
      spendOnce: async (bucket) => {
        spent.push(bucket);
        return isOverdrawn ? limited : null;
      },
    },
    {
      consume: (of) => {
        counted.push(of);
        return isOverdrawn ? 7 : null;
      },
    },
    (errors) => void reported.push(...errors.map(({ code }) => code)),
  );

const stranger = {
  transport: 'graphql',
  requestId: 'r',
  language: 'en',
  caller: null,
  address: '192.0.2.1',
  work: new RequestWork(),
  cost: new OperationCost(),
} as unknown as RequestContext;
const known = { ...stranger, caller: { subject: 'me' } } as RequestContext;

async function refuse(
  errors: readonly DomainError[],
  context: RequestContext,
  { isOverdrawn = false, data }: { isOverdrawn?: boolean; data?: Record<string, unknown> } = {},
) {
  const refusals = errors.map((error, at) => ({ error, path: [at] }));
  const { status, headers, body } = await exitWith(isOverdrawn).refuse(refusals, {
    context,
    bucket: 'mutation',
    data,
  });
  const { errors: told } = body as { errors: { path?: number[]; extensions: { error: string } }[] };
  return { status, headers, told: told.map(({ path, extensions }) => [path, extensions.error]) };
}

describe('a refusal (Contract 8.2.6, 8.3)', () => {
  it.each([
    ['of a stranger', [invalid, foreign, outOfReach()], stranger, [], [{ address: '192.0.2.1' }]],
    ['before the quota for lack of authority', [foreign, foreign], known, [], [{ subject: 'me' }]],
    ['for what was sent', [invalid, invalid], known, ['mutation'], []],
    ['for either', [foreign, invalid], known, ['mutation'], [{ subject: 'me' }]],
    ['for a record out of reach', [outOfReach()], known, [], []],
    ['by a service that is away', [unavailable(null)], stranger, [], []],
    ['from an address that a proxy hides', [invalid], { ...stranger, address: null }, [], []],
  ])('%s is charged once', async (_name, errors, context, units, failures) => {
    await refuse(errors, context);
    expect([spent, counted]).toEqual([units, failures]);
    expect(reported).toEqual(errors.map(({ code }) => code));
  });

  it('past its quota is 429 with the seconds to wait, and nothing else is told', async () => {
    const expected = { status: 429, headers: { 'retry-after': '7' }, told: [[undefined, limited.code]] };
    expect(await refuse([invalid, foreign], stranger, { isOverdrawn: true })).toEqual(expected);
    expect(await refuse([invalid], known, { isOverdrawn: true, data: { a: null } })).toEqual(expected);
    expect(reported).toEqual([limited.code, limited.code]);
  });

  it('past its quota beside data replaces only what was charged', async () => {
    const answer = await refuse([foreign, outOfReach()], known, {
      isOverdrawn: true,
      data: { a: null, b: {} },
    });
    expect(answer).toEqual({
      status: 200,
      headers: {},
      told: [
        [[0], limited.code],
        [[1], foreign.code],
      ],
    });
  });
});
