import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';
import {
  contractFaults,
  coordinateIn,
  lastVersion,
  newsSince,
  unnamedIn,
} from '../../src/build/check-contract.js';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = read('schema/schema.graphql');
const released = read('schema/released/schema.graphql');
const { version } = JSON.parse(read('package.json')) as { version: string };
const changeLog = read('CHANGELOG.md');
const last = lastVersion(changeLog);
const minor = `${last.split('.')[0]}.99.0`;
const nextMajor = `${Number(last.split('.')[0]) + 1}.0.0`;

describe('npm run check:contract', () => {
  it('finds no difference between a contract and itself, and no fault since the last release (Contract 1.3)', () => {
    expect(contractFaults(schema, schema, { version: minor, changeLog })).toEqual([]);
    expect(contractFaults(released, schema, { version, changeLog })).toEqual([]);
  });

  it.each([
    [
      'a removed field',
      schema.replace(/(?<=^type Job implements Node [^]*?)^ {2}"""[^"]*"""\n {2}salary: String\n/m, ''),
      'Job.salary was removed.',
    ],
    [
      'a field of another type',
      schema.replace(/^ {2}isRedirectApply: Boolean!/m, '  isRedirectApply: Int!'),
      'Job.isRedirectApply changed type from Boolean! to Int!.',
    ],
    [
      'a newly required input',
      schema.replace(/^ {2}salary: String$(?![^]*^ {2}salary: String$)/m, '  salary: String!'),
      'UpdateJobInput.salary changed type from String to String!.',
    ],
  ])('refuses %s in the schema, unless the major version is raised (Contract 1.3)', (_what, sdl, fault) => {
    expect(contractFaults(schema, sdl, { version: minor, changeLog })).toEqual([
      `schema.graphql: ${fault} — it breaks clients of ${last}, and needs a new major version`,
    ]);
    const news = `# Changes\n\n## Unreleased\n\n${fault}\n\n## ${last} (2026-01-01)\n`;
    expect(contractFaults(schema, sdl, { version: nextMajor, changeLog: news })).toEqual([]);
    const nothing = `# Changes\n\n## ${last} (2026-01-01)\n`;
    expect(contractFaults(schema, sdl, { version: nextMajor, changeLog: nothing })).toEqual([
      `schema.graphql: ${fault} — say so in CHANGELOG.md, where ${coordinateIn(fault)} is not named`,
    ]);
  });

  it('finds between the last release and now exactly the breaks that the changelog names (Contract 1.3)', () => {
    const [before, after] = [buildSchema(released), buildSchema(schema)];
    const broken = findBreakingChanges(before, after).map(({ description }) => coordinateIn(description));
    const [, named = ''] =
      /^These types of GraphQL break[^]*?\n\n([^]*?)\n\n/m.exec(newsSince(last, changeLog)) ?? [];
    const coordinates = named.split(/^- /m).flatMap((entry) => {
      const [places = ''] = entry.split(/ → |: (?!sort)/);
      return [...places.matchAll(/`([^`]+)`/g)].map(([, coordinate]) => coordinate);
    });
    expect(coordinates.sort()).toEqual(broken.sort());
  });

  it('requires a changelog entry for a change that may surprise a client (Contract 1.3)', () => {
    const sdl = schema.replace(/^enum JobState \{$/m, 'enum JobState {\n  frozen');
    const faultsWith = (text: string) => contractFaults(schema, sdl, { version: minor, changeLog: text });
    expect(faultsWith(`# Changes\n\n## ${last} (2026-01-01)\n`)).toEqual([
      'schema.graphql: frozen was added to enum type JobState. — say so in CHANGELOG.md, where frozen is not named',
    ]);
    expect(
      faultsWith(`# Changes\n\n## Unreleased\n\nJobs may be frozen.\n\n## ${last} (2026-01-01)\n`),
    ).toEqual([]);
  });

  it.each([
    ['a field', { schema: schema.replace(/^type Job .*\{$/m, '$&\n  frost: Int') }, 'Job.frost'],
    ['an input', { schema: schema.replace(/^input JobFilter \{$/m, '$&\n  frost: Int') }, 'JobFilter.frost'],
    [
      'an argument',
      { schema: schema.replace(/^ {2}viewer: /m, '  viewer(frost: Int): ') },
      'Query.viewer(frost:)',
    ],
    ['an operation', { schema: schema.replace(/^type Mutation \{$/m, '$&\n  frost: Int') }, 'Mutation.frost'],
    ['a setting', { settings: ['PORT', 'frost'] }, 'frost'],
    ['a path', { paths: ['GET /jobs', 'GET /frost'] }, 'GET /frost'],
  ])('requires a changelog entry that names %s that is new (Contract 1.3)', (_what, news, name) => {
    const released = { schema, settings: ['PORT'], paths: ['GET /jobs'] };
    const faultsWith = (text: string) =>
      unnamedIn(`# Changes\n\n## Unreleased\n\n${text}\n\n## ${last} (2026-01-01)\n`, released, {
        ...released,
        ...news,
      });
    const own = name
      .split('.')
      .at(-1)!
      .replace(/\w+\((\w+):\)/, '$1');
    expect(faultsWith('Frost is new.')).toEqual([`${name} is new: name it in CHANGELOG.md, as \`${own}\``]);
    expect(faultsWith(`Jobs have \`${own}\`.`)).toEqual([]);
  });
});
