import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { lastVersion } from '../../src/build/check-contract.js';
import { ownGateway } from '../support/own-gateway.js';
import { type HttpAnswer, readAnswer, readRequests, sendAll } from './examples/http-message.js';
import { exampleRunner } from './examples/occasions.js';

/** The REST examples of the last release, with its replies. */
const folder = new URL('../../schema/released/examples/', import.meta.url);
const examples = ['operations', 'errors'].flatMap((room) =>
  readdirSync(new URL(`${room}/`, folder)).flatMap((file) => {
    const [, name] = /^([^.]+)\.http$/.exec(file) ?? [];
    return name === undefined ? [] : [`${room}/${name}`];
  }),
);
const requestsOf = (example: string, place = { url: '', token: '' }) =>
  readRequests(new URL(`${example}.http`, folder), { gateway: place.url, token: place.token });
const recordedOf = (example: string) => readAnswer(new URL(`${example}.answer.http`, folder));

/** The breaks of this major version, by example, each with its line of the changelog. */
const broken: Record<string, readonly string[]> = {};

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Codes, which clients compare, keep their value. */
const codes = ['error', 'code'];

function lostIn(path: string, was: unknown, is: unknown): string[] {
  if (is === undefined) return [`${path}: gone`];
  if (typeOf(was) !== typeOf(is)) return [`${path}: ${typeOf(is)}, not ${typeOf(was)}`];
  if (codes.some((code) => path.endsWith(`.${code}`)) && is !== was) return [`${path}: another code`];
  if (typeof was !== 'object' || was === null) return [];
  const others = is as Record<string, unknown>;
  return Object.entries(was).flatMap(([key, value]) => lostIn(`${path}.${key}`, value, others[key]));
}

/** The parts that a client of the last release misses in today's reply. A field that is no longer known gives a warning. */
function lost(recorded: HttpAnswer, reply: HttpAnswer): string[] {
  const isWarned = ({ body }: HttpAnswer) => Object.hasOwn(body as object, 'warnings');
  return [
    ...(reply.status === recorded.status ? [] : [`status ${reply.status}, not ${recorded.status}`]),
    ...Object.keys(recorded.headers).flatMap((name) => (name in reply.headers ? [] : [`${name}: gone`])),
    ...lostIn('', recorded.body, reply.body),
    ...(isWarned(reply) && !isWarned(recorded) ? ['a new warning'] : []),
  ];
}

describe('REST calls of the last release (Contract 1.3)', () => {
  const gateway = ownGateway({
    ...{ UPDATE_JOB_QUOTA: '2/60s', MUTATION_QUOTA: '5/60s', READ_QUOTA: '50/60s', ARCHIVER: 'off' },
  });
  const on = exampleRunner(gateway);

  it.each(examples)('%s: the reply has every recorded status, header, key and type', (example) =>
    on(example, async (place) => {
      const reply = await sendAll(requestsOf(example, place));
      expect(lost(recordedOf(example), reply)).toEqual(broken[example] ?? []);
    }),
  );

  it('are broken only by a new major version', () => {
    const read = (file: string) => readFileSync(new URL(`../../../${file}`, folder), 'utf8');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const majorOf = (text: string) => Number(text.split('.')[0]);
    const isMajor = majorOf(version) > majorOf(lastVersion(read('CHANGELOG.md')));
    expect(isMajor ? {} : broken).toEqual({});
  });

  it.each<[string, (reply: HttpAnswer) => unknown, string]>([
    ['a status', (reply) => (reply.status = 201), 'status 201, not 200'],
    ['a header', ({ headers }) => delete headers['job-state'], 'job-state: gone'],
    ['a key', ({ body }) => delete at(body, 'data').salary, '.data.salary: gone'],
    [
      'an optional key',
      ({ body }) => delete at(body, 'data', 'questions', '0').placeholder,
      '.data.questions.0.placeholder: gone',
    ],
    ['a type', ({ body }) => (at(body, 'data').salary = 5), '.data.salary: number, not string'],
    ['a null', ({ body }) => (at(body, 'data').office = null), '.data.office: null, not object'],
    ['a known field', ({ body }) => (at(body).warnings = []), 'a new warning'],
  ])('are seen to lose %s', (_what, change, expected) => {
    const recorded = recordedOf('operations/update-job');
    const reply = structuredClone(recorded);
    change(reply);
    expect(lost(recorded, reply)).toEqual([expected]);
  });
});

const at = (value: unknown, ...keys: string[]) =>
  keys.reduce((part, key) => part[key] as Record<string, unknown>, value as Record<string, unknown>);
