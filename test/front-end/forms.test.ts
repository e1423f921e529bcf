import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import fc from 'fast-check';
import { buildSchema, isEnumType, isInputObjectType, print } from 'graphql';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  CompanyFormDocument,
  type CompanyFormQuery,
  JobFormDocument,
  type JobFormQuery,
  JobHistoryDocument,
  type JobHistoryQuery,
  UpdateCompanyDocument,
  UpdateJobDocument,
} from '../../schema/client/src/index.js';
import {
  choices,
  companyInputOf,
  createEdit,
  inputAttributes,
  inputNameOf,
  inputOfHistory,
  jobInputOf,
  labelOf,
  lengthOf,
  limits,
  sortReferences,
} from '../../schema/client/src/forms.js';
import { codePointLength } from '../../src/fields/field-reader.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';
import { graphql } from '../support/requests.js';
import { ofCompany, ofJob } from '../support/updates.js';

const schema = buildSchema(readFileSync(`${root}schema/schema.graphql`, 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

describe('the form kit', () => {
  it('labels every value of every enum of the schema, in both languages', () => {
    const enums = types.filter(isEnumType).map((type) => [
      type.name,
      type
        .getValues()
        .map(({ name }) => name)
        .sort(),
    ]);
    const labelled = Object.entries(choices).map(([name, values]) => [
      name,
      values.map(({ value }) => value).sort(),
    ]);
    expect(Object.fromEntries(labelled)).toEqual(Object.fromEntries(enums));
    const labels = Object.values(choices).flatMap((values) =>
      values.flatMap(({ label }) => [label.en, label.fr]),
    );
    expect(labels.filter((label) => label.trim() === '')).toEqual([]);
    expect(choices.JobState.map(({ value }) => value)).toEqual(['draft', 'published', 'archived']);
    expect(labelOf('JobState', 'draft', 'fr')).toBe('Brouillon');
    expect(labelOf('JobState', 'paused', 'fr')).toBe('paused');
  });

  it('sorts references for a language', () => {
    const names = ['Zoo', 'Étude', 'Eau'].map((name) => ({ name }));
    expect(sortReferences(names, 'fr').map(({ name }) => name)).toEqual(['Eau', 'Étude', 'Zoo']);
    const both = [
      { name: 'A', names: { en: 'A', fr: 'Z' } },
      { name: 'B', names: { en: 'B', fr: 'Y' } },
    ];
    expect(sortReferences(both, 'fr').map(({ name }) => name)).toEqual(['B', 'A']);
  });

  it('has limits of existing inputs alone, from the rows that the gateway checks', () => {
    for (const [type, fields] of Object.entries(limits)) {
      const input = schema.getType(type);
      const known = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
      expect(known).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
    expect(limits.UpdateJobInput.salary).toEqual({ maximumLength: 30 });
    expect(limits.UpdateCompanyInput.logo).toEqual({
      maximumBytes: 5 * 2 ** 20,
      maximumPixels: 4_096,
      types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    });
  });

  it('knows the attributes of an HTML input, without maxlength', () => {
    expect(inputAttributes('UpdateJobInput', 'salary')).toEqual({ type: 'text' });
    expect(inputAttributes('UpdateJobInput', 'applicationUrl')).toEqual({ type: 'url', inputMode: 'url' });
    expect(inputAttributes('UpdateCompanyInput', 'name')).toEqual({ required: true, type: 'text' });
    expect(inputAttributes('UpdateCompanyInput', 'logo')).toEqual({
      type: 'file',
      accept: 'image/png,image/jpeg,image/webp,image/gif',
    });
    expect(inputAttributes('UpdateJobInput', 'salaryRange.minimum')).toEqual({
      ...{ type: 'number', inputMode: 'decimal', step: 0.01, min: 0, max: 99_999_999 },
    });
    expect(inputAttributes('UpdateJobInput', 'salaryRange.currency')).toEqual({});
  });

  it('counts a text as the gateway does (Contract 7.4)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => lengthOf(text) === codePointLength(text.trim())),
    );
    expect(lengthOf(['a@b.fr; A@b.fr', 'c@d.fr', ' '])).toBe(2);
  });

  it('has at most 12 kB, minified and compressed, and less if a front-end imports a part', async () => {
    const bytesOf = async (names: string) => {
      const contents = `export ${names} from '${root}schema/client/src/forms.ts'`;
      const stdin = { contents, resolveDir: root };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
      return gzipSync(outputFiles[0]?.contents ?? '').length;
    };
    expect(await bytesOf('*')).toBeLessThan(12_000);
    expect(await bytesOf('{ createEdit, jobInputOf }')).toBeLessThan(2_500);
  });

  it('names the input of a fault, of a changed field and of a change in a history alike', () => {
    expect(inputNameOf(['input', 'managerEmails', '1'])).toBe('managerEmails');
    expect(inputNameOf(['input', 'salaryRange', 'maximum'])).toBe('salaryRange.maximum');
    expect(inputNameOf('descriptionJob')).toBe('descriptionJob');
  });
});

describe('an edit', () => {
  interface Input {
    jobPublicId: string;
    salary: string | null;
    localisation: string | null;
    managerEmails: string[] | null;
    salaryRange: { minimum: string | null; maximum: string | null; currency: string; period: string } | null;
  }
  const base: Input = {
    jobPublicId: 'one',
    salary: '1 €',
    localisation: null,
    managerEmails: ['a@b.fr', 'c@d.fr'],
    salaryRange: { minimum: '10', maximum: null, currency: 'EUR', period: 'day' },
  };
  const edit = () => createEdit(base, 4);

  it('sends the ids, the version, and only the fields that differ from the base', () => {
    const one = edit();
    expect([one.isDirty, one.variables()]).toEqual([
      false,
      { input: { jobPublicId: 'one' }, expectedVersion: 4 },
    ]);
    one.set('salary', '2 €');
    one.set('salaryRange.minimum', '12.50');
    expect(one.variables()).toEqual({
      input: { jobPublicId: 'one', salary: '2 €', salaryRange: { ...base.salaryRange, minimum: '12.50' } },
      expectedVersion: 4,
    });
    expect([one.changed, one.get('salaryRange.minimum'), one.base]).toEqual([
      ['salary', 'salaryRange'],
      '12.50',
      base,
    ]);
  });

  it('counts no value as changed that the gateway would store alike', () => {
    const one = edit();
    one.set('salary', ' 1 €\r\n');
    one.set('localisation', '');
    one.set('managerEmails', ['a@b.fr; c@d.fr']);
    one.set('salaryRange.minimum', '10.00');
    one.set('salaryRange.maximum', '');
    expect(one.changed).toEqual([]);
    one.set('managerEmails', []);
    expect(one.variables().input).toEqual({ jobPublicId: 'one', managerEmails: [] });
  });

  it('keeps what was typed while a save was under way', () => {
    const one = edit();
    one.set('salary', '2 €');
    one.variables();
    one.set('salary', '3 €');
    one.set('localisation', 'Lyon');
    one.saved({ ...base, salary: '2 €' }, 5);
    expect(one.variables()).toEqual({
      input: { jobPublicId: 'one', salary: '3 €', localisation: 'Lyon' },
      expectedVersion: 5,
    });
  });

  it('takes what the gateway made of a sent value, even if it is another text', () => {
    const one = edit();
    one.set('localisation', '<b>Lyon');
    one.variables();
    one.saved({ ...base, localisation: 'Lyon' }, 5);
    expect([one.isDirty, one.get('localisation')]).toEqual([false, 'Lyon']);
  });

  it('runs two quick saves one after another, so that they do not conflict', async () => {
    const one = edit();
    let stored = { ...base };
    let version = 4;
    const send = async ({ input, expectedVersion }: ReturnType<typeof one.variables>) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(expectedVersion).toBe(version);
      stored = { ...stored, ...input };
      return { input: stored, version: (version += 1) };
    };
    one.set('salary', '2 €');
    const first = one.save(send);
    one.set('salary', '3 €');
    const [, second] = await Promise.all([first, one.save(send)]);
    expect([second?.version, stored.salary, one.isDirty]).toEqual([6, '3 €', false]);
    expect(await one.save(send)).toBeNull();
  });

  it('can save again after a save has failed', async () => {
    const one = edit();
    one.set('salary', '2 €');
    await expect(one.save(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await one.save(({ input }) => Promise.resolve({ input: { ...base, ...input }, version: 5 }));
    expect([one.version, one.isDirty]).toEqual([5, false]);
  });

  it('merges fields that one side changed, and lists those that both changed', () => {
    const one = edit();
    one.set('salary', '2 €');
    one.set('localisation', 'Lyon');
    const theirs = { ...base, salary: '9 €', managerEmails: ['x@y.fr'] };
    const conflict = { field: 'salary', base: '1 €', mine: '2 €', theirs: '9 €' };
    expect(one.merge(theirs, 7)).toEqual([conflict]);
    expect(one.input).toEqual({ ...theirs, salary: '2 €', localisation: 'Lyon' });
    // What nobody has decided is not sent.
    expect(one.variables()).toEqual({
      input: { jobPublicId: 'one', localisation: 'Lyon' },
      expectedVersion: 7,
    });
    one.resolve('salary', '2 €');
    expect([one.conflicts, one.variables().input.salary]).toEqual([[], '2 €']);
  });

  it('merges a group as a whole: two amounts of two people make no pay', () => {
    const one = edit();
    one.set('salaryRange.minimum', '11');
    const theirs = { ...base, salaryRange: { ...base.salaryRange!, currency: 'USD' } };
    expect(one.merge(theirs, 5).map(({ field }) => field)).toEqual(['salaryRange']);
    one.resolve('salaryRange', theirs.salaryRange);
    expect(one.isDirty).toBe(false);
  });

  it('finds no conflict in a change that both made alike, or that was taken back', () => {
    const one = edit();
    one.set('salary', '2 €');
    expect(one.merge({ ...base, salary: '2 €' }, 5)).toEqual([]);
    expect(one.isDirty).toBe(false);
    one.set('salary', '3 €');
    expect(one.merge({ ...base, salary: '4 €' }, 6)).toHaveLength(1);
    expect(one.merge({ ...base, salary: '2 €' }, 7)).toEqual([]);
    expect(one.variables().input.salary).toBe('3 €');
  });

  it('keeps a field that was set back while a save was under way', () => {
    const one = edit();
    one.set('salary', '2 €');
    one.variables();
    one.set('salary', '1 €');
    expect(one.isDirty).toBe(false);
    one.saved({ ...base, salary: '2 €' }, 5);
    expect(one.variables().input).toEqual({ jobPublicId: 'one', salary: '1 €' });
  });

  it('loses no value of either side, whatever the order of sets, saves and merges', () => {
    const fields = ['salary', 'localisation'] as const;
    const step = fc.oneof(
      fc.record({
        by: fc.constantFrom('me', 'them'),
        field: fc.constantFrom(...fields),
        to: fc.constantFrom('a', 'b', 'c', null),
      }),
      fc.record({ by: fc.constantFrom('send', 'reply', 'fail', 'merge') }),
    );
    const play = (steps: readonly { by: string; field?: (typeof fields)[number]; to?: string | null }[]) => {
      const one = edit();
      let stored = { ...base };
      let version = 4;
      /** What I have seen of the record: an update must overwrite nothing else. */
      let seen = stored;
      /** What I have typed, and neither saved nor taken back. */
      const typed = new Map<(typeof fields)[number], string | null>();
      /** What was sent since the last reply or merge. */
      const noted = new Set<string>();
      let flight: { input: Input; version: number } | null = null;
      for (const { by, field, to = null } of steps) {
        if (by === 'me' && field) {
          one.set(field, to);
          if (to === one.base[field] && !noted.has(field)) typed.delete(field);
          else typed.set(field, to);
        } else if (by === 'them' && field) {
          stored = { ...stored, [field]: to };
          version += 1;
        } else if (by === 'send' && !flight) {
          const { input, expectedVersion } = one.variables();
          for (const name of Object.keys(input)) noted.add(name);
          if (expectedVersion !== version) continue;
          expect(stored).toEqual(seen);
          stored = { ...stored, ...input };
          version += 1;
          flight = { input: stored, version };
        } else if (by === 'reply' && flight) {
          one.saved(flight.input, flight.version);
          noted.clear();
          seen = flight.input;
          for (const [name, value] of typed) if (flight.input[name] === value) typed.delete(name);
          flight = null;
        } else if (by === 'fail') {
          // The update was made, but its reply was lost.
          flight = null;
        } else if (by === 'merge' && !flight) {
          one.merge(stored, version);
          noted.clear();
          seen = stored;
          for (const [name, value] of typed) if (stored[name] === value) typed.delete(name);
        }
      }
      for (const [name, value] of typed) expect([name, one.input[name]]).toEqual([name, value]);
      for (const name of fields) if (!typed.has(name)) expect(one.input[name]).toBe(one.base[name]);
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 30 }), play), { numRuns: 3_000 });
  });

  it('tells its listeners of each change', () => {
    const one = edit();
    const seen: number[] = [];
    const end = one.subscribe(() => seen.push(one.revision));
    one.set('salary', '2 €');
    one.merge(base, 5);
    end();
    one.set('salary', '3 €');
    expect(seen).toEqual([1, 2]);
  });
});

describe('the form kit, with a gateway', () => {
  const gateway = ownGateway({ UPDATE_JOB_QUOTA: '1000/1s', MUTATION_QUOTA: '1000/1s' });
  let token: string;
  beforeAll(async () => void (token = await gateway.token()));
  beforeEach(() => gateway.reset());

  async function run<Answer>(document: Parameters<typeof print>[0], variables: object): Promise<Answer> {
    const { body } = await graphql(gateway, print(document), { ...variables }, { token });
    expect(body.errors).toBeUndefined();
    return body.data as Answer;
  }
  const readJob = async () =>
    (await run<JobFormQuery>(JobFormDocument, { publicId: ofJob.jobPublicId })).job!;
  const readCompany = async () => {
    const ids = { mediaPublicId: ofCompany.mediaPublicId, publicId: ofCompany.companyPublicId };
    return (await run<CompanyFormQuery>(CompanyFormDocument, ids)).company!;
  };
  const lastEntry = async () => {
    const answer = await run<JobHistoryQuery>(JobHistoryDocument, { publicId: ofJob.jobPublicId, first: 1 });
    return answer.job!.history!.edges[0]!.node;
  };

  it('writes back what it read, and changes nothing (Contract 4.3.3.4, 9.1.2)', async () => {
    const job = await readJob();
    const company = await readCompany();
    await run(UpdateJobDocument, { input: jobInputOf(job), expectedVersion: job.version });
    const { logoUrl, ...input } = companyInputOf(company);
    expect(logoUrl).toMatch(/^http/);
    await run(UpdateCompanyDocument, { input, expectedVersion: company.version });
    expect([await readJob(), await readCompany()]).toEqual([job, company]);
  });

  it('takes a date for the end of that day, so that two people who choose the same date agree (Contract 4.2.13.1)', async () => {
    const read = async () => {
      const job = await readJob();
      return { input: jobInputOf(job), version: job.version };
    };
    const { input, version } = await read();
    const [mine, theirs] = [createEdit(input, version), createEdit(input, version)];
    const date = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    mine.set('expiresAt', date);
    theirs.set('expiresAt', date);
    await run(UpdateJobDocument, theirs.variables());
    const stored = await read();
    expect(stored.input.expiresAt).toBe(`${date}T23:59:59.999Z`);
    expect([mine.merge(stored.input, stored.version), mine.changed]).toEqual([[], []]);
    mine.set('expiresAt', date);
    expect(mine.changed).toEqual([]);
  });

  it('writes back what was before a change, and names what cannot return (Contract 10.1.2.1)', async () => {
    const before = jobInputOf(await readJob());
    const input = {
      jobPublicId: ofJob.jobPublicId,
      salary: '9 €',
      contractId: null,
      sectorIds: undefined,
      descriptionJob: 'New',
      localisation: 'Lyon',
      salaryRange: null,
      managerEmails: [],
    };
    await run(UpdateJobDocument, { input });
    const undo = inputOfHistory(await lastEntry(), { jobPublicId: ofJob.jobPublicId });
    expect(undo.lost).toEqual(['managerEmails']);
    await run(UpdateJobDocument, { input: undo.input });
    expect(jobInputOf(await readJob())).toEqual({ ...before, managerEmails: [] });
  });

  it('publishes an archived job again, and returns no draft (Contract 3.2)', async () => {
    const ids = { jobPublicId: ofJob.jobPublicId };
    await run(UpdateJobDocument, { input: { ...ids, state: 'archived' } });
    const undo = inputOfHistory(await lastEntry(), ids);
    expect(undo).toEqual({ input: { ...ids, state: 'published' }, lost: [] });
    await run(UpdateJobDocument, { input: undo.input });
    expect((await readJob()).state).toBe('published');
    const published = { changes: [{ field: 'state', before: 'draft', after: 'published' }] };
    expect(inputOfHistory(published, ids)).toEqual({ input: ids, lost: ['state'] });
    const company = { mediaPublicId: 'demo-media', companyPublicId: 'acme' };
    const logos = [
      { field: 'logoUrl', before: { kind: 'file', hash: 'a' }, after: null },
      { field: 'name', before: 'Acme', after: 'Acme 2' },
    ];
    expect(inputOfHistory({ changes: logos }, company)).toEqual({
      input: { ...company, name: 'Acme' },
      lost: ['logoUrl'],
    });
  });
});
