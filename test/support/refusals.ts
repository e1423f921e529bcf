import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Refusal } from '../../schema/client/src/index.js';
import { ownGateway } from './own-gateway.js';

/** An update of a job. */
export interface Call {
  uri: string;
  headers: Record<string, string>;
  variables: {
    input: { jobPublicId: string; salary?: string };
    expectedVersion?: number;
  };
}

/** A gateway for the tests of a file, and a call to it that succeeds. */
export function ownCall() {
  const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/60s' });
  let call: Call;
  let tests = 0;
  beforeEach(async () => {
    await gateway.reset();
    // The previous test may have used up the quota of its caller.
    const token = await gateway.token({ sub: `caller-${(tests += 1)}` });
    call = {
      uri: `${gateway.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      variables: { input: { jobPublicId: 'acme-backend-engineer', salary: '55 000 €' } },
    };
  });
  return { gateway, call: () => call };
}

/** Tests what `readRefusal` reads. @param clients each makes a call that fails */
export function describeRefusals(
  clients: Record<string, (call: Call) => Promise<Refusal | null>>,
  { gateway, call }: ReturnType<typeof ownCall>,
): void {
  describe.each(Object.entries(clients))('readRefusal › the failure of %s', (_name, refusalOf) => {
    it('has each faulty field (Contract 7.4.1)', async () => {
      const variables = { input: { ...call().variables.input, salary: 'x'.repeat(31) } };
      const refusal = await refusalOf({ ...call(), variables });
      expect(refusal).toMatchObject({
        error: 'validation-failed',
        code: 'BAD_USER_INPUT',
        status: 422,
        fields: [
          {
            path: ['input', 'salary'],
            code: 'salary-too-long',
            reason: 'too_long',
            message: 'Enter at most 30 characters.',
          },
        ],
        retryAfterSeconds: null,
      });
      expect(refusal?.requestId).not.toBe('');
    });

    it('has the faulty fields of all errors, and a message for people (Contract 7.4.3)', async () => {
      const input = { ...call().variables.input, salaryRange: { minimum: '1' } };
      const refusal = await refusalOf({ ...call(), variables: { input } });
      expect(refusal?.fields.map(({ path }) => path)).toEqual([
        ['input', 'salaryRange', 'currency'],
        ['input', 'salaryRange', 'period'],
      ]);
      expect(refusal?.message).toBe('This field is required.');
    });

    it('has the reason and the missing scope of a reply with status 200 (Contract 7.3.3)', async () => {
      const token = await gateway.token({ scope: 'r_jobs' });
      expect(await refusalOf({ ...call(), headers: { authorization: `Bearer ${token}` } })).toMatchObject({
        error: 'unauthorized-limitation',
        code: 'FORBIDDEN',
        reason: 'scope_missing',
        scope: 'r_w_jobs',
      });
    });

    it('has the current version, and what changed since (Contract 6.1.2)', async () => {
      await gateway.models.jobs.updateOne({ publicId: 'acme-backend-engineer' }, { $set: { version: 3 } });
      const variables = { ...call().variables, expectedVersion: 2 };
      expect(await refusalOf({ ...call(), variables })).toMatchObject({
        error: 'version-conflict',
        currentVersion: 3,
        changedFields: [],
        fields: [],
      });
    });

    it('says that another token is needed, and why (Contract 7.3.3)', async () => {
      const headers = { authorization: 'Bearer ended' };
      expect(await refusalOf({ ...call(), headers })).toMatchObject({
        error: 'unauthorized-limitation',
        code: 'UNAUTHENTICATED',
        reason: 'token_invalid',
        message: 'Unauthorized: the token is not valid.',
        status: 401,
      });
    });

    it('has the seconds after which to retry (Contract 8.1.2)', async () => {
      await Promise.all([refusalOf(call()), refusalOf(call())]);
      const refusal = await refusalOf(call());
      expect(refusal).toMatchObject({ error: 'rate-limit-exceeded', status: 429 });
      expect(refusal?.retryAfterSeconds).toBeGreaterThan(0);
    });
  });
}
