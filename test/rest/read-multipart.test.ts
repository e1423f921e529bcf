import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FastifyRequest } from 'fastify';
import { Upload } from 'graphql-upload-minimal';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type HeldFile, LogoIntake } from '../../src/company/logo/logo-intake.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { readMultipart } from '../../src/rest/read-multipart.js';

const fieldBytes = 2_000;
const maxLogoBytes = 5_000;

let server: Server;
let url: string;
let subject: string | undefined;
/** The result of the last request. */
let outcome: Promise<unknown>;

beforeAll(async () => {
  const bounds = { intake: new LogoIntake(maxLogoBytes), fieldBytes };
  server = createServer((raw, response) => {
    const { headers } = raw;
    const caller = subject === undefined ? null : { subject };
    const request = { raw, headers, caller } as unknown as FastifyRequest;
    outcome = readMultipart(request, bounds, async (fields) => {
      const shown = Object.entries(fields).map(async ([name, value]) => [name, await shownOf(value)]);
      return Object.fromEntries(await Promise.all(shown)) as unknown;
    }).catch((error: unknown) => {
      if (!(error instanceof DomainError)) return error;
      const { code, details } = error;
      return { code, ...(details.hint && { hint: details.hint }) };
    });
    void outcome.then(() => {
      raw.resume();
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close().closeAllConnections());

async function shownOf(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(shownOf));
  if (!(value instanceof Upload)) return value;
  const { bytes, caller } = (await value.promise) as unknown as HeldFile;
  return { bytes: bytes.length, caller };
}

interface Part {
  name?: string;
  text?: string | Buffer;
  file?: string;
  type?: string;
  encoding?: string;
}

/** Returns the fields that `readMultipart` read, or its error. */
async function read(
  parts: Part[],
  { contentType = 'multipart/form-data; boundary=b', end = '--b--\r\n' } = {},
): Promise<unknown> {
  const pieces = parts.flatMap(({ name, text = '', file, type, encoding }) => [
    `--b\r\nContent-Disposition: form-data${name === undefined ? '' : `; name="${name}"`}`,
    file === undefined ? '' : `; filename="${file}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    encoding === undefined ? '' : `\r\nContent-Transfer-Encoding: ${encoding}`,
    '\r\n\r\n',
    text,
    '\r\n',
  ]);
  const body = Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece)));
  await fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body });
  return outcome;
}

const tooLong = (field: string) => ({
  code: 'payload-too-large',
  hint: {
    en: `${field} and the fields before it together must have at most 2 000 bytes`,
    fr: `le total de ${field} et des champs précédents ne doit pas dépasser 2 000 octets`,
  },
});

describe('readMultipart (Contract 5.1.1)', () => {
  it('reads single and repeated fields, and a logo before or after them', async () => {
    subject = 'me';
    const logo = { name: 'logo', file: 'a.png', text: Buffer.alloc(maxLogoBytes, 255) };
    const fields = [
      { name: 'a', text: '1' },
      { name: 'é', text: 'é' },
      { name: 'a', text: '' },
      { name: 'json', text: '{"b":[1]}', type: 'application/json' },
      { name: 'text', text: '{"b":[1]}', type: 'text/html' },
    ];
    const expected = {
      a: ['1', ''],
      é: 'é',
      json: { b: [1] },
      text: '{"b":[1]}',
      logo: { bytes: maxLogoBytes, caller: 'me' },
    };
    expect(await read([logo, ...fields])).toEqual(expected);
    expect(await read([...fields, logo])).toEqual(expected);
    subject = undefined;
    expect(await read([{ ...logo, text: 'x' }])).toEqual({ logo: { bytes: 1, caller: '' } });
  });

  it('reads a part without a file name as a file if its content type is an image’s (Contract 5.3.1)', async () => {
    for (const type of ['image/png', 'IMAGE/SVG+XML', 'application/octet-stream'])
      expect(await read([{ name: 'logo', text: '\u00ff', type }])).toEqual({
        logo: { bytes: 2, caller: '' },
      });
    expect(await read([{ name: 'logo', text: 'x', type: 'text/plain' }])).toEqual({ logo: 'x' });
  });

  it('rejects a text whose Content-Transfer-Encoding would have to be decoded', async () => {
    for (const encoding of ['base64', 'quoted-printable', ''])
      expect(await read([{ name: 'name', text: 'QWNtZQ==', encoding }])).toMatchObject({
        code: 'content-type-not-supported',
      });
    for (const encoding of ['7bit', '8Bit', 'binary'])
      expect(await read([{ name: 'name', text: 'Acme', encoding }])).toEqual({ name: 'Acme' });
  });

  it('reads one logo, and replaces every other file with {}, which no field accepts', async () => {
    const file = { file: 'a.png', text: 'x' };
    expect(await read([{ ...file, name: 'name' }])).toEqual({ name: {} });
    expect(
      await read([
        { ...file, name: 'logo' },
        { ...file, name: 'logo' },
      ]),
    ).toEqual({ logo: [{ bytes: 1, caller: '' }, {}] });
    expect(
      await read([
        { name: 'logo', text: 'a text' },
        { ...file, name: 'logo' },
      ]),
    ).toEqual({ logo: ['a text', {}] });
  });

  it('rejects names, texts and other files one byte over their total limit, which excludes the logo', async () => {
    const logo = { name: 'logo', file: 'a', text: 'x'.repeat(maxLogoBytes) };
    const long = { name: 'long', text: 'é'.repeat((fieldBytes - 10) / 2) };
    expect(await read([logo, { name: 'ab' }, long])).toMatchObject({ long: long.text });
    expect(await read([logo, { name: 'abc' }, long])).toEqual(tooLong('long'));
    expect(await read([{ name: 'a', file: 'f', text: 'x'.repeat(fieldBytes) }])).toEqual(tooLong('a'));
  });

  it('rejects a field name over a thousand characters (Contract 5.1.2)', async () => {
    expect(await read([{ name: 'n'.repeat(1_000) }])).toEqual({ ['n'.repeat(1_000)]: '' });
    expect(await read([{ name: 'n'.repeat(1_001) }])).toEqual({
      code: 'body-format-error',
      hint: {
        en: 'the name of a field has more than 1000 characters',
        fr: 'le nom d’un champ a plus de 1000 caractères',
      },
    });
  });

  it.each([
    ['name="salary"; name="state"', undefined],
    ['name="salary"; NAME=state', undefined],
    ['name="salary"; filename="a"; name ="state"', undefined],
    ['name="salary"; name*=utf-8\'\'state', undefined],
    ['name="salary"\r\nContent-Disposition: form-data; name="state"', undefined],
    ['name="salary"\r\nContent-Disposition: attachment', undefined],
    ['name="a; name=b"', 'a; name=b'],
    ['name="a\\"; name=b"', 'a"; name=b'],
    ['name="a"; filename="x; name=b"; dummy=1', 'a'],
  ])(
    'rejects a part with two names or dispositions, and reads a part with one: %s (Contract 5.1.2)',
    async (disposition, name) => {
      const body = `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n1\r\n--b--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      await fetch(url, { method: 'POST', headers, body });
      const read = await outcome;
      if (name === undefined) expect(read).toMatchObject({ code: 'body-format-error' });
      else expect(Object.keys(read as object)).toEqual([name]);
    },
  );

  it('accepts a thousand parts and rejects 1001', async () => {
    const parts = (count: number) => Array.from({ length: count }, () => ({ name: 'a' }));
    expect(await read(parts(1_000))).toEqual({ a: Array.from({ length: 1_000 }, () => '') });
    expect(await read(parts(1_001))).toEqual({
      code: 'body-format-error',
      hint: { en: 'it has more than 1000 fields', fr: 'il a plus de 1000 champs' },
    });
  });
});
