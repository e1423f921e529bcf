import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';
import { contractFaults, coordinateIn, newsSince, versionOf } from '../../src/build/check-contract.js';
import { openApiBreaks } from '../../src/build/openapi-breaks.js';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = read('schema/schema.graphql');
const openApi = read('schema/openapi.json');
const { version } = JSON.parse(read('package.json')) as { version: string };
const changeLog = read('CHANGELOG.md');
const last = versionOf(read('schema/released/openapi.json'));
const nextMajor = `${Number(version.split('.')[0]) + 1}.0.0`;

interface Part {
  [key: string]: Part;
}
const changed = (change: (document: Part) => void): Part => {
  const document = JSON.parse(openApi) as Part;
  change(document);
  return document;
};
const at = (document: Part, ...keys: string[]): Part =>
  keys.reduce((part, key) => {
    const next = part[key];
    if (!next) throw new Error(`the document has no ${keys.join(' › ')}`);
    return next;
  }, document);
const breaksOf = (change: (document: Part) => void) =>
  openApiBreaks(JSON.parse(openApi) as Part, changed(change));
const jsonBody = (document: Part) =>
  at(document, 'paths', '/companies', 'patch', 'requestBody', 'content', 'application/json', 'schema');
const job = (document: Part) => at(document, 'components', 'schemas', 'Job');

describe('npm run check:contract', () => {
  it('finds no difference between a contract and itself (Contract 11.12)', () => {
    expect(contractFaults({ schema, openApi }, { schema, openApi }, { version, changeLog })).toEqual([]);
  });

  it('finds no breaking change since the last release (Contract 11.12)', () => {
    const released = {
      schema: read('schema/released/schema.graphql'),
      openApi: read('schema/released/openapi.json'),
    };
    expect(contractFaults(released, { schema, openApi }, { version, changeLog })).toEqual([]);
  });

  it.each([
    [
      'a removed field',
      schema.replace(/^ {2}"""[^"]*"""\n {2}salary: String\n/m, ''),
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
  ])('refuses %s in the schema, unless the major version is raised (Contract 11.12)', (_what, sdl, fault) => {
    const released = { schema, openApi };
    const present = { schema: sdl, openApi };
    expect(contractFaults(released, present, { version, changeLog })).toEqual([
      `schema.graphql: ${fault} — it breaks clients of ${version}, and needs a new major version`,
    ]);
    const news = `# Changes\n\n## Unreleased\n\n${fault}\n\n## ${version} (2026-01-01)\n`;
    expect(contractFaults(released, present, { version: nextMajor, changeLog: news })).toEqual([]);
    const nothing = `# Changes\n\n## ${version} (2026-01-01)\n`;
    expect(contractFaults(released, present, { version: nextMajor, changeLog: nothing })).toEqual([
      `schema.graphql: ${fault} — say so in CHANGELOG.md, where ${coordinateIn(fault)} is not named`,
      `CHANGELOG.md: mentions no change since ${version}`,
    ]);
  });

  it('finds between the last release and now exactly the breaks that the changelog names (Contract 11.12)', () => {
    const [before, after] = [read('schema/released/schema.graphql'), schema].map((sdl) => buildSchema(sdl));
    const broken = findBreakingChanges(before!, after!).map(({ description }) => coordinateIn(description));
    const [, named = ''] =
      /^These types of GraphQL break[^]*?\n\n([^]*?)\n\n/m.exec(newsSince(last, changeLog)) ?? [];
    const coordinates = named.split(/^- /m).flatMap((entry) => {
      const [places = ''] = entry.split(/ → |: (?!sort)/);
      return [...places.matchAll(/`([^`]+)`/g)].map(([, coordinate]) => coordinate);
    });
    expect(coordinates.sort()).toEqual(broken.sort());
  });

  it('requires a changelog entry for a change that may surprise a client (Contract 11.12)', () => {
    const sdl = schema.replace(/^enum JobState \{$/m, 'enum JobState {\n  frozen');
    const faultsWith = (text: string) =>
      contractFaults({ schema, openApi }, { schema: sdl, openApi }, { version, changeLog: text });
    expect(faultsWith(`# Changes\n\n## ${version} (2026-01-01)\n`)).toEqual([
      'schema.graphql: frozen was added to enum type JobState. — say so in CHANGELOG.md, where frozen is not named',
    ]);
    expect(
      faultsWith(`# Changes\n\n## Unreleased\n\nJobs may be frozen.\n\n## ${version} (2026-01-01)\n`),
    ).toEqual([]);
  });

  it.each<[string, (document: Part) => void, string]>([
    ['a path', (document) => delete document.paths?.['/references/{kind}'], 'GET /references/{kind}: gone'],
    [
      'an operation',
      (document) => delete at(document, 'paths', '/companies').patch,
      'PATCH /companies: gone',
    ],
    [
      'a content type',
      (document) =>
        delete at(document, 'paths', '/companies', 'patch', 'requestBody', 'content')['multipart/form-data'],
      'PATCH /companies multipart/form-data: gone',
    ],
    [
      'a success status',
      (document) => delete at(document, 'paths', '/companies', 'get', 'responses')['304'],
      'GET /companies 304: gone',
    ],
    [
      'a request property',
      (document) => delete at(jsonBody(document), 'properties').name,
      'PATCH /companies.name: gone',
    ],
    [
      'a reply property',
      (document) => delete at(job(document), 'properties').salary,
      'POST /jobs/{job_public_id} 200.data.salary: gone',
    ],
  ])('reports %s removed from openapi.json (Contract 11.12)', (_what, change, fault) => {
    expect(breaksOf(change)).toContain(fault);
  });

  it.each<[string, (document: Part) => void, string]>([
    [
      'a newly required request property',
      (document) => Object.assign(jsonBody(document), { required: ['media_public_id', 'name'] }),
      'PATCH /companies.name: newly required',
    ],
    [
      'a newly required parameter',
      (document) => Object.assign(at(document, 'components', 'parameters', 'If-Match'), { required: true }),
      'PATCH /companies header If-Match: newly required',
    ],
    [
      'a property of another type',
      (document) => Object.assign(at(job(document), 'properties', 'salary'), { type: 'integer' }),
      'POST /jobs/{job_public_id} 200.data.salary: another type',
    ],
    [
      'a property that may now be null',
      (document) => Object.assign(at(job(document), 'properties', 'name'), { type: ['string', 'null'] }),
      'POST /jobs/{job_public_id} 200.data.name: another type',
    ],
    [
      'a property that may now be absent',
      (document) => Object.assign(job(document), { required: [] }),
      'POST /jobs/{job_public_id} 200.data.salary: not always there',
    ],
    [
      'a request enum with fewer members',
      (document) => {
        const { content } = at(document, 'paths', '/jobs/{job_public_id}', 'post', 'requestBody');
        Object.assign(at(content ?? {}, 'application/json', 'schema', 'properties', 'state'), {
          enum: ['published'],
        });
      },
      'POST /jobs/{job_public_id}.state: another enum',
    ],
    [
      'a lower maximum length in a request',
      (document) => Object.assign(at(jsonBody(document), 'properties', 'name'), { maxLength: 20 }),
      'PATCH /companies.name: another maxLength',
    ],
  ])('reports %s in openapi.json (Contract 11.12)', (_what, change, fault) => {
    expect(breaksOf(change)).toContain(fault);
  });

  it.each<[string, (document: Part) => void]>([
    [
      'a new optional request field',
      (document) => Object.assign(at(jsonBody(document), 'properties'), { motto: { type: 'string' } }),
    ],
    [
      'a new key of a reply',
      (document) => Object.assign(at(job(document), 'properties'), { motto: { type: 'string' } }),
    ],
    [
      'a new path',
      (document) => Object.assign(at(document, 'paths'), { '/mottos': { get: { responses: {} } } }),
    ],
    [
      'a reworded message',
      (document) =>
        Object.assign(
          at(document, 'components', 'schemas', 'JobNotFoundBody', 'properties', 'errorMessage'),
          { enum: ['No such job.'] },
        ),
    ],
    [
      'a second kind of error with the same status',
      (document) => {
        const { content } = at(document, 'paths', '/companies', 'get', 'responses', '404');
        const { schema } = at(content ?? {}, 'application/json');
        const other = { $ref: '#/components/schemas/JobNotFoundBody' };
        Object.assign(at(content ?? {}, 'application/json'), { schema: { oneOf: [other, schema] } });
      },
    ],
    [
      'an error status that no longer occurs',
      (document) => delete at(document, 'paths', '/companies', 'patch', 'responses')['413'],
    ],
  ])('accepts %s, which breaks no client (Contract 11.12)', (_what, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
