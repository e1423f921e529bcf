import { describe, expect, it, jest } from '@jest/globals';
import { readRefusal } from '../../schema/client/src/index.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';

const error = (code: string, status: number) => ({
  message: 'Told.',
  extensions: { error: code, code: 'ANY', status, requestId: 'r-1' },
});

describe('readRefusal', () => {
  const gateway = ownGateway();

  it('reads of a reply to fetch the code, every fault, and the request (Contract 7.2.1)', async () => {
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const input = {
      mediaPublicId: 'demo-media',
      companyPublicId: 'acme',
      jobPublicId: 'acme-backend-engineer',
      salary: 'x'.repeat(31),
      contractId: 'forever',
    };
    const { body, headers } = await graphql(gateway, mutation, { input }, { token: await gateway.token() });
    expect(readRefusal(body, headers)).toMatchObject({
      error: 'validation-failed',
      code: 'BAD_USER_INPUT',
      status: 422,
      requestId: headers.get('x-request-id'),
      retryAfterSeconds: null,
      fields: [
        { path: ['input', 'contractId'], code: 'contract_id-not-found' },
        { path: ['input', 'salary'], code: 'salary-too-long' },
      ],
    });
  });

  it('reads when to try again from the header, else from what the body says of the quota (Contract 8.2.4)', () => {
    const busy = { errors: [error('service-unavailable', 503)] };
    expect(readRefusal(busy, new Headers({ 'retry-after': '7' }))?.retryAfterSeconds).toBe(7);
    expect(readRefusal(busy)?.retryAfterSeconds).toBeNull();
    const extensions = { rateLimit: { limit: 2, remaining: 0, resetSeconds: 3 } };
    const limited = { errors: [error('rate-limit-exceeded', 429)], extensions };
    expect(readRefusal(limited)?.retryAfterSeconds).toBe(3);
    expect(readRefusal({ ...busy, extensions })?.retryAfterSeconds).toBeNull();
  });

  it.each([
    ['Fri, 31 Dec 1999 23:59:30 GMT', 30],
    ['Friday, 31-Dec-99 23:59:30 GMT', 30],
    ['Fri Dec 31 23:59:30 1999', 30],
    ['Fri, 31 Dec 1999 23:58:59 GMT', 0],
    ['soon', null],
    ['7.5', null],
  ])('reads from the header of a proxy the date after which to try again: %s', (told, seconds) => {
    jest.useFakeTimers({ now: Date.UTC(1999, 11, 31, 23, 59, 0, 1) });
    try {
      const busy = { errors: [error('service-unavailable', 503)] };
      expect(readRefusal(busy, new Headers({ 'retry-after': told }))?.retryAfterSeconds).toBe(seconds);
    } finally {
      jest.useRealTimers();
    }
  });

  it('reads the headers of whatever implementation of fetch, also from a failure (Contract 8.2.4)', () => {
    const headers = { get: (name: string) => (name === 'retry-after' ? '7' : null) };
    const body = { errors: [error('service-unavailable', 503)] };
    const failure = { bodyText: JSON.stringify(body), response: { headers } };
    for (const refusal of [readRefusal(body, headers), readRefusal(failure)])
      expect([refusal?.error, refusal?.retryAfterSeconds]).toEqual(['service-unavailable', 7]);
  });

  it.each([
    null,
    undefined,
    'text',
    {},
    { data: {} },
    { errors: [] },
    { errors: [{ message: 'a proxy' }] },
    new TypeError('x'),
  ])('finds no refusal in %p', (failure) => expect(readRefusal(failure)).toBeNull());

  it('keeps every error of a document with several fields', () => {
    const errors = [error('job-not-found', 404), error('company-not-found', 404)];
    const refusal = readRefusal({ errors });
    expect(refusal?.error).toBe('job-not-found');
    expect(refusal?.errors.map((each) => each.error)).toEqual(['job-not-found', 'company-not-found']);
  });
});
