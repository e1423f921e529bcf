import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { processRequest } from 'graphql-upload-minimal';
import { boundParser } from '../../src/graphql/bound-parser.js';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway();

/** A body whose map names these places; it has no file. */
const bodyOf = (operations: unknown, map: unknown) =>
  Object.entries({ operations, map })
    .map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`,
    )
    .join('') + '--x--\r\n';
const headers = { 'content-type': 'multipart/form-data; boundary=x' };

/** What the door makes of a multipart body: the operations with a file in them, or a refusal. */
async function read(operations: unknown, map: unknown): Promise<unknown> {
  const request = Object.assign(Readable.from([Buffer.from(bodyOf(operations, map))]), { headers });
  boundParser(request as unknown as IncomingMessage, 2 ** 20);
  return processRequest(request as unknown as IncomingMessage, undefined as never, { maxFiles: 1 });
}

/** What values of JSON inherit from, and whatever can be reached from there. */
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

/** The keys of inherited objects that have another value than at first. They get it back: with them nothing could run on. */
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
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'map',
    'call',
    'bind',
  ],
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

/** Reads a body, and tells what that changed before anybody else meets it. */
async function outcome(operations: unknown, places: unknown) {
  const result = await read(operations, places).catch(() => undefined);
  return { changed: changedKeys(), result };
}

async function expectRefused(operations: unknown, places: unknown) {
  const { changed, result } = await outcome(operations, places);
  expect([changed, result === undefined]).toEqual([[], true]);
}

describe('a map of a multipart request (Contract 4.1.7.8, 4.3.5)', () => {
  it('changes nothing but a null of the operations, whatever it names', async () => {
    await fc.assert(
      fc.asyncProperty(json, map, async (operations, places) => {
        const { changed, result } = await outcome(operations, places);
        expect(changed).toEqual([]);
        // With the file taken out again, the operations are as they were sent.
        if (result !== undefined)
          expect(JSON.stringify(result).replace('"a file"', 'null')).toBe(JSON.stringify(operations));
      }),
      { numRuns: 2_000 },
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
  )('is refused for a place that is no null of the operations: %j', async (_start, path) => {
    const operations = { query: '{ __typename }', variables: { a: null, list: [null] } };
    for (const sent of [operations, [operations]]) await expectRefused(sent, { 0: [path] });
  });

  it('is refused where it names thousands of places', async () => {
    const paths = Array.from({ length: 5_000 }, (_, index) => `toString.x${index}`);
    for (const places of [{ 0: paths }, Object.fromEntries(paths.map((path) => [path, [path]]))])
      await expectRefused({}, places);
  });

  it.each([
    [{ variables: { a: null } }, 'variables.a'],
    [{ variables: { a: { list: [1, null] } } }, 'variables.a.list.1'],
    [[{ variables: { hasOwnProperty: null } }], '0.variables.hasOwnProperty'],
  ])('of %j leads a file to %s', async (operations, path) => {
    expect(JSON.stringify(await read(operations, { 0: [path] }))).toBe(
      JSON.stringify(operations).replace('null', '"a file"'),
    );
  });

  it('is told what is wrong with it, and the gateway lives on (Contract 7.1.5)', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'apollo-require-preflight': 'yes' },
      body: bodyOf({ query: '{ __typename }' }, { 0: ['toString.harmless'] }),
    });
    const { errors } = (await response.json()) as { errors?: { message: string }[] };
    expect([changedKeys(), response.status, errors?.[0]?.message]).toEqual([
      [],
      400,
      'The body of the request cannot be read: its map leads to where its operations have no null.',
    ]);
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });
});
