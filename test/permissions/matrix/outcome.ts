import { expect } from '@jest/globals';
import { type GraphQLBody, type Reply, type RestBody } from '../../support/requests.js';

/** A short text for a reply. A refusal is named by its `WWW-Authenticate`; `refused` means for its role or reach. */
export type Outcome = string;

const challenges: [RegExp, (match: RegExpExecArray) => Outcome][] = [
  [/^Bearer realm="gateway"$/, () => 'no-token'],
  [
    /^Bearer realm="gateway", error="insufficient_scope", error_description="(?:the token has none of the roles that may do this|there is no such media or record, or it is out of reach of the token)"$/,
    () => 'refused',
  ],
  [
    /^Bearer realm="gateway", error="invalid_token", error_description="[ !#-[\]-~]+"$/,
    () => 'invalid-token',
  ],
  [
    /^Bearer realm="gateway", error="insufficient_scope", scope="(\w+)", error_description="the token lacks the scope \1"$/,
    ([, scope = '']) => `insufficient-scope ${scope}`,
  ],
];

function reasonOf(headers: Headers): Outcome {
  const challenge = headers.get('www-authenticate') ?? '';
  for (const [pattern, outcome] of challenges) {
    const match = pattern.exec(challenge);
    if (match) return outcome(match);
  }
  throw new Error(`WWW-Authenticate: ${challenge}`);
}

export function restOutcome({ status, headers, body }: Reply<RestBody>): Outcome {
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  if (status === 401) {
    expect(body).toEqual({ status: 401, error: 'unauthorized-limitation', errorMessage: 'Unauthorized' });
    return reasonOf(headers);
  }
  expect(headers.has('www-authenticate')).toBe(false);
  if (status === 404) {
    expect(body).toEqual({ status: 404, error: body.error, errorMessage: expect.any(String) });
    return `absent ${body.error}`;
  }
  expect(body.error).toBeUndefined();
  expect([200, 201]).toContain(status);
  return 'done';
}

/** @param path leads to the field of the row. Fields above that field may have values */
export function graphqlOutcome({ status, headers, body }: Reply<GraphQLBody>, path: string[]): Outcome {
  const requestId = headers.get('x-request-id');
  expect(requestId).toMatch(/^[\w-]{36}$/);
  if (!body.errors) {
    expect(status).toBe(200);
    return (valueAt(body.data, path) ?? null) === null ? 'null' : 'done';
  }
  const [error] = body.errors;
  expect(body.errors).toHaveLength(1);
  const { code, error: name, reason: why, scope } = error?.extensions ?? { code: '' };
  if (name !== 'unauthorized-limitation') {
    expect(status).toBe(200);
    expect(error?.extensions).toEqual({ code: 'NOT_FOUND', error: name, status: 404, requestId });
    return `absent ${name}`;
  }
  expect(error?.message).toMatch(/^Unauthorized: [a-z].*\.$/);
  expect(error?.extensions).toEqual({
    ...{ code, error: 'unauthorized-limitation', status: 401, reason: why, requestId },
    ...(why === 'scope_missing' && { scope }),
  });
  expect(why).toMatch(code === 'FORBIDDEN' ? /^(?:scope_missing|role_missing|out_of_reach)$/ : /^token_/);
  if (hasValue(body.data)) {
    // Partial data: only this field was withheld.
    expect(status).toBe(200);
    expect(error?.path).toEqual(path);
    return `withheld ${code}`;
  }
  // A front-end that signs out on 401 must not do so because one record is out of reach (Contract 7.3).
  expect(status).toBe(code === 'FORBIDDEN' ? 200 : 401);
  const reason = reasonOf(headers);
  if (reason === 'invalid-token') {
    expect(code).toBe('UNAUTHENTICATED');
    expect(body.data).toBeUndefined();
    return reason;
  }
  expect(error?.path).toEqual(path.slice(0, 1));
  if (code === 'UNAUTHENTICATED') {
    expect(reason).toBe('no-token');
    return reason;
  }
  expect(code).toBe('FORBIDDEN');
  return reason;
}

const hasValue = (data: Record<string, unknown> | null | undefined): boolean =>
  Object.values(data ?? {}).some((value) => value !== null);

const valueAt = (data: unknown, path: string[]): unknown =>
  path.reduce((value, key) => (value as Record<string, unknown> | null)?.[key], data);
