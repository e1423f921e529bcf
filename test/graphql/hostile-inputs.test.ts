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
import { cpuMsOf, promptMs } from '../support/prompt.js';
import { sendRaw } from '../support/raw-http.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe('little processor time (Contract 8.4.2)', () => {
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

  it.each(['/companies', '/graphql'])(
    'is refused by %s at the bound of parts, before its end (Contract 8.2.7)',
    async (path) => {
      const headers = [
        `POST ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}`,
        `Content-Type: multipart/form-data; boundary=a\r\nApollo-Require-Preflight: true`,
        // The last byte never comes.
        `Content-Length: ${body.length + 1}`,
      ];
      expect((await sendRaw(gateway, `${headers.join('\r\n')}\r\n\r\n${body}`)).status).toBe(400);
    },
  );
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

describe('the map of a multipart request (Contract 5.1.2, 5.3.5)', () => {
  it('can only replace a null in the operations', async () => {
    await fc.assert(
      fc.asyncProperty(json, map, async (operations, places) => {
        const { changed, result } = await outcome(operations, places);
        expect(changed).toEqual([]);
        if (result !== undefined)
          expect(JSON.stringify(result).replace('"a file"', 'null')).toBe(JSON.stringify(operations));
      }),
      { numRuns: Number(process.env.FUZZ_REQUESTS ?? 100) },
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
});
