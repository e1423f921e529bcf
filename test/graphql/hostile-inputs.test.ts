import { beforeAll, describe, expect, it } from '@jest/globals';
import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { processRequest } from 'graphql-upload-minimal';
import { domainKey } from '../../src/company/company-identity.rules.js';
import { cleanHtml } from '../../src/text/html.rules.js';
import { withoutSecrets } from '../../src/log/log.js';
import { boundParser } from '../../src/graphql/bound-parser.js';
import { ownGateway } from '../support/own-gateway.js';
import { cpuMsOf, leastCpuMsOf, promptMs } from '../support/prompt.js';
import { graphql, rest } from '../support/requests.js';
import { updateJob } from '../support/updates.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe('little processor time (Contract 8.6.2)', () => {
  const host = '漢字'.repeat(165_000);

  it('is enough for a domain of 330 000 ideographs', async () => {
    expect(await cpuMsOf(() => expect(domainKey(`${host}.fr`)).toBeNull())).toBeLessThan(promptMs);
  });

  it('is enough for a text of links to hosts of 2 000 ideographs', async () => {
    const text = `<a href="http://${host.slice(0, 2_030)}.fr">y</a>`.repeat(480);
    expect(await cpuMsOf(() => cleanHtml(text, { wrapPlainText: true, maximum: 2 ** 20 }))).toBeLessThan(
      promptMs,
    );
  });

  it('is enough for a log line whose path repeats parts of an encoded e-mail address', async () => {
    const bytes = 16_384;
    for (const part of ['%40', '%25', '%c3', 'a%40', `${'%40'.repeat(20)}${'a'.repeat(60)}`])
      for (const path of [
        part.repeat(bytes / part.length),
        `${'%40'.repeat(20)}${part.repeat(bytes / part.length)}`,
      ])
        expect(await cpuMsOf(() => withoutSecrets(path))).toBeLessThan(promptMs);
  });

  it('is enough for a log line whose path repeats the beginning of a token', async () => {
    expect(await cpuMsOf(() => withoutSecrets(`/${'eyJ'.repeat(400_000)}`))).toBeLessThan(promptMs);
    expect(withoutSecrets('token=eyJhbGciOi.eyJzdWIi.c2ln and so on')).toBe('token=[token] and so on');
    expect(withoutSecrets('a.b.eyJhbGciOi.eyJzdWIi.c2ln')).toBe('a.b.[token]');
  });
});

describe('a multipart body of 20 000 empty parts', () => {
  const body = '--a\r\n'.repeat(20_000);
  const mostMs = 40;

  it.each(['/companies', '/graphql'])(
    'costs %s no more than the parts within the bound (Contract 8.6.11)',
    async (path) => {
      const headers = {
        'content-type': 'multipart/form-data; boundary=a',
        'apollo-require-preflight': 'true',
        authorization: `Bearer ${token}`,
      };
      const send = async () => {
        const { status } = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
        expect(status).toBe(400);
      };
      expect(await leastCpuMsOf(send, mostMs)).toBeLessThan(mostMs);
    },
  );
});

describe('the query jobs', () => {
  it('finds nothing for a name with a NUL', async () => {
    const query =
      'query ($name: String) { jobs(mediaPublicId: "demo-media", filter: { name: $name }) { edges { cursor } } }';
    const { body } = await graphql(gateway, query, { name: 'no\u0000such' }, { token });
    expect(body).toMatchObject({ data: { jobs: { edges: [] } } });
  });
});

describe('a brand in a media where it has no company (Contract 5.7.1)', () => {
  it('gets the same answer as in an unknown media', async () => {
    const brand = await gateway.token({ roles: ['brand_admin'], brand: 'acme-group', media: undefined });
    const ask = async (media: string) => {
      const query = '{ companies(mediaPublicId: "MEDIA") { edges { cursor } } }'.replace('MEDIA', media);
      const overGraphQL = await graphql(gateway, query, {}, { token: brand });
      const form = { media_public_id: media };
      const overRest = await rest(gateway, 'PATCH', '/companies', { form }, { token: brand });
      return [
        overGraphQL.body.errors?.[0]?.extensions.error,
        overRest.status,
        overRest.headers.get('ratelimit-limit'),
      ];
    };
    const refused = ['unauthorized-limitation', 401, null];
    expect([await ask('other-media'), await ask('no-media')]).toEqual([refused, refused]);
  });
});

describe('a replay (Contract 9.3)', () => {
  const call = (as: string, fields: Record<string, string>) =>
    updateJob(
      gateway,
      { salary: '1k', ...fields },
      { token: as, headers: { 'idempotency-key': 'replayed' } },
    );

  it('is refused for another input, even an invalid one', async () => {
    expect((await call(token, {})).status).toBe(200);
    expect((await call(token, { state: 'nonsense' })).body.error).toBe('idempotency-key-reuse');
  });

  it('is refused to a caller whose reach has shrunk', async () => {
    const partner = await gateway.token({ roles: ['media_partner'] });
    expect((await call(partner, {})).status).toBe(401);
  });
});

/** A multipart body without the file. */
const bodyOf = (operations: unknown, map: unknown) =>
  Object.entries({ operations, map })
    .map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`,
    )
    .join('') + '--x--\r\n';
const headers = { 'content-type': 'multipart/form-data; boundary=x' };

/** Reads a multipart body as the API does. */
async function read(operations: unknown, map: unknown): Promise<unknown> {
  const request = Object.assign(Readable.from([Buffer.from(bodyOf(operations, map))]), { headers });
  boundParser(request as unknown as IncomingMessage, 2 ** 20);
  return processRequest(request as unknown as IncomingMessage, undefined as never, { maxFiles: 1 });
}

/** The prototypes of JSON values, and every object reachable from them. */
const inherited = reachable([{}, [], '', 0, true].map((value) => Object.getPrototypeOf(value) as object));
const untouched = new Map(inherited.map((value) => [value, Object.getOwnPropertyDescriptors(value)]));

function reachable(values: readonly object[]): object[] {
  const found = new Set<object>(values);
  for (const value of found)
    for (const { value: next } of Object.values(Object.getOwnPropertyDescriptors(value)))
      if (typeof next === 'function' || (typeof next === 'object' && next !== null))
        found.add(next as object);
  return [...found];
}

/** The keys of `inherited` objects that have a new value. Restores the old values. */
function changedKeys(): string[] {
  const changed: string[] = [];
  for (const [value, before] of untouched) {
    const now = Object.getOwnPropertyDescriptors(value);
    for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
      if (Object.is(now[key]?.value, before[key]?.value)) continue;
      changed.push(key);
      if (before[key]) Object.defineProperty(value, key, before[key]);
      else Reflect.deleteProperty(value, key);
    }
  }
  return changed;
}

const key = fc.constantFrom(
  ...['variables', 'query', 'a', 'b', '0', '1', '4294967295', '-0', '', ' ', 'length', 'name', 'x'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'map', 'call'],
  ...['bind'],
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, null, '', 'text', 0, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const map = fc.dictionary(key, fc.array(fc.array(key, { maxLength: 5 }).map((keys) => keys.join('.'))), {
  minKeys: 1,
  maxKeys: 2,
});

async function outcome(operations: unknown, places: unknown) {
  const result = await read(operations, places).catch(() => undefined);
  return { changed: changedKeys(), result };
}

async function expectRefused(operations: unknown, places: unknown) {
  const { changed, result } = await outcome(operations, places);
  expect([changed, result === undefined]).toEqual([[], true]);
}

describe('the map of a multipart request (Contract 4.1.7.8, 4.3.5)', () => {
  it('can only replace a null in the operations', async () => {
    await fc.assert(
      fc.asyncProperty(json, map, async (operations, places) => {
        const { changed, result } = await outcome(operations, places);
        expect(changed).toEqual([]);
        if (result !== undefined)
          expect(JSON.stringify(result).replace('"a file"', 'null')).toBe(JSON.stringify(operations));
      }),
      { numRuns: Number(process.env.FUZZ_REQUESTS ?? 500) },
    );
  });

  it.each(
    [
      ...['toString.call', 'toString.harmless', 'hasOwnProperty.x', 'variables.hasOwnProperty.f', 'map.x'],
      ...['__proto__.x', '__proto__', 'constructor.prototype.x', 'constructor', 'variables.constructor.x'],
      ...['query.length', 'query.0', 'query.x', 'query.toString.x', 'variables.list.length', 'variables.a.b'],
      ...['variables.list.-1', 'variables.list.1', 'variables.list.4294967294', 'variables.list.push.x'],
      ...['', ' ', '.', '..', 'variables.', '.variables.a', 'variables..a', 'variables', 'x'],
      ...['a.'.repeat(50_000), 'x'.repeat(100_000), 'toString.'.repeat(10_000)],
    ].map((path) => [path.slice(0, 40), path] as const),
  )('is refused for a path that leads to no null: %j', async (_start, path) => {
    const operations = { query: '{ __typename }', variables: { a: null, list: [null] } };
    for (const sent of [operations, [operations]]) await expectRefused(sent, { 0: [path] });
  });

  it('is refused if it has thousands of paths', async () => {
    const paths = Array.from({ length: 5_000 }, (_, index) => `toString.x${index}`);
    for (const places of [{ 0: paths }, Object.fromEntries(paths.map((path) => [path, [path]]))])
      await expectRefused({}, places);
  });

  it.each([
    [{ variables: { a: null } }, 'variables.a'],
    [{ variables: { a: { list: [1, null] } } }, 'variables.a.list.1'],
    [[{ variables: { hasOwnProperty: null } }], '0.variables.hasOwnProperty'],
  ])('with the operations %j puts the file at %s', async (operations, path) => {
    expect(JSON.stringify(await read(operations, { 0: [path] }))).toBe(
      JSON.stringify(operations).replace('null', '"a file"'),
    );
  });
});
