import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import fc from 'fast-check';
import { buildSchema, isEnumType, isInputObjectType, print } from 'graphql';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  CompanyFormDocument,
  type CompanyFormQuery,
  CreateJobDocument,
  type CreateJobMutation,
  JobFormDocument,
  type JobFormQuery,
  JobHistoryDocument,
  type JobHistoryQuery,
  UpdateCompanyDocument,
  UpdateJobDocument,
  type UpdateJobMutation,
} from '../../schema/client/src/index.js';
import {
  allowedTags,
  choices,
  companyInputOf,
  createEdit,
  describeChange,
  describeValue,
  type Edit,
  fieldLabelOf,
  formSections,
  inputAttributes,
  inputNameOf,
  inputOfHistory,
  jobCopyOf,
  jobInputOf,
  type JobInput,
  labelOf,
  lengthOf,
  limitOf,
  limits,
  movesOf,
  newJobInput,
  type NewJobVariables,
} from '../../schema/client/src/forms.js';
import { canonicalHtml } from '../../schema/client/src/canonical-html.js';
import { isSame } from '../../schema/client/src/is-same.js';
import { codePointLength } from '../../src/fields/field-reader.rules.js';
import { cleanHtml } from '../../src/text/html.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';
import { graphql } from '../support/requests.js';
import { ofCompany, ofJob } from '../support/updates.js';
import { sample } from '../support/sample.js';

const schema = buildSchema(readFileSync(`${root}schema/schema.graphql`, 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

describe('the form kit', () => {
  it('labels every value of every enum of the schema but codes, quotas and scopes, in both languages', () => {
    const codes = ['ErrorCode', 'FaultReason', 'QuotaName', 'Scope', 'UnauthorizedReason', 'WarningCode'];
    const enums = types
      .filter(isEnumType)
      .filter(({ name }) => !codes.includes(name))
      .map((type) => [
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

  it('has limits of existing inputs alone, from the rows that the gateway checks', () => {
    for (const [type, fields] of Object.entries(limits)) {
      const input = schema.getType(type);
      const known = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
      expect(known).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
    expect(limits.UpdateJobInput.salary).toEqual({ maximumLength: 30 });
    expect(limits.CreateJobInput).toMatchObject({
      jobPublicId: { maximumLength: 100 },
      name: { required: true, maximumLength: 150 },
      state: { choices: 'JobState', values: ['draft', 'published'] },
      applicationMethod: { choices: 'ApplicationMethod' },
    });
    expect(limits.UpdateCompanyInput.logo).toEqual({
      maximumBytes: 5 * 2 ** 20,
      maximumPixels: 4_096,
      types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    });
  });

  it('has types from the tables: names that do not exist, and values of other fields, do not compile', () => {
    // @ts-expect-error a name that no input has
    expect(limitOf('UpdateJobInput', 'salery')).toEqual({});
    // @ts-expect-error a part that no pay has
    expect(limitOf('UpdateJobInput', 'salaryRange.least')).toEqual({});
    const states: 'JobState' = limitOf('UpdateJobInput', 'state').choices;
    expect(choices[states].map(({ value }): 'draft' | 'published' | 'archived' => value)).toHaveLength(3);
    const currency: 'AED' = limitOf('CreateJobInput', 'salaryRange.currency').values[0];
    expect([currency, limitOf('UpdateCompanyInput', 'companyPublicId')]).toEqual(['AED', {}]);
    const edit = createEdit({ jobPublicId: 'one', state: 'draft' } as JobInput, 1);
    // @ts-expect-error a state that no job has
    edit.set('state', 'lost');
    const [conflict] = edit.merge({ ...edit.base, state: 'published' }, 2);
    if (conflict?.field === 'state') {
      const theirs: 'draft' | 'published' | 'archived' | null = conflict.theirs;
      edit.resolve(conflict.field, theirs);
    }
    expect(edit.get('state')).toBe('published');
    const moves: readonly ['archived'] = movesOf('published');
    expect([moves, allowedTags.includes('h2')]).toEqual([['archived'], true]);
  });

  it('says what people call a field, with what helps to fill it in, and its section', () => {
    const section = { name: 'publication', label: 'Publication' };
    const help = 'Vide : la date la plus tardive';
    expect(fieldLabelOf('UpdateJobInput', 'expiresAt', 'fr')).toEqual({ label: 'Fin', help, section });
    expect(fieldLabelOf('UpdateCompanyInput', 'name', 'en')).toEqual({
      label: 'Name',
      help: null,
      section: { name: 'company', label: 'Company' },
    });
    const [pay] = formSections('UpdateJobInput', 'fr').filter(({ name }) => name === 'pay');
    const parts = ['minimum', 'maximum', 'currency', 'period'].map((part) => `salaryRange.${part}`);
    expect(pay).toEqual({ name: 'pay', label: 'Rémunération', inputs: ['salary', ...parts] });
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

  it('puts into words a pay with one amount or without a period, and a date as it was typed or stored', () => {
    const words = (field: string, value: unknown) => describeValue(field, value, {}, 'en');
    expect(words('salaryRange', { minimum: '10', maximum: null, currency: 'EUR', period: 'day' })).toBe(
      '10 – EUR / day',
    );
    expect(words('salaryRange', { maximum: '20', currency: null, period: null })).toBe('– 20');
    expect(words('salaryRange', { minimum: null, maximum: null, currency: 'EUR', period: 'day' })).toBe(
      'EUR / day',
    );
    expect(words('expiresAt', '2030-01-31')).toBe(words('expiresAt', '2030-01-31T23:59:59.999Z'));
  });

  it('puts a text into words as people read it', () => {
    const html = '<p>Sales &amp; <b>R&amp;D</b> or&nbsp;&lt;3</p><p>&quot;&amp;amp;&quot;</p>';
    expect(describeValue('descriptionJob', html, {}, 'en')).toBe('Sales & R&D or\u00a0<3 "&amp;"');
  });

  it('names a reference from the list of its kind, and leaves an id that no list has', () => {
    const other = (name: string) => [{ id: name, publicId: 'other', name }];
    const references = {
      job: { id: 'j', publicId: 'lead', name: 'A job' },
      ...{ contracts: other('Other contract'), jobCategories: other('Other category') },
      ...{ remotePolicies: other('Other place'), sectors: other('Other sector'), experiences: null },
    };
    const names = ['contractId', 'jobCategoryId', 'remotePolicyId', 'sectorIds', 'educationId'];
    expect(names.map((field) => describeValue(field, 'other', references, 'en'))).toEqual([
      ...['Other contract', 'Other category', 'Other place', 'Other sector'],
      'other',
    ]);
    expect(describeValue('contractId', 'lead', references, 'en')).toBe('lead');
    expect(describeValue('sectorIds', ['other', 'gone'], references, 'en')).toBe('Other sector, gone');
  });

  it('counts a text as the gateway does (Contract 5.1.8)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => lengthOf(text) === codePointLength(text.trim())),
    );
    expect(lengthOf(['a@b.fr; A@b.fr', 'c@d.fr', ' '])).toBe(2);
  });

  it('has at most 9 kB, minified and compressed, and less if a front-end imports a part', async () => {
    const bytesOf = async (names: string) => {
      const contents = `export ${names} from '${root}schema/client/src/forms.ts'`;
      const stdin = { contents, resolveDir: root };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
      return gzipSync(outputFiles[0]?.contents ?? '').length;
    };
    expect(await bytesOf('*')).toBeLessThan(9_000);
    expect(await bytesOf('{ createEdit, jobInputOf }')).toBeLessThan(4_200);
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
    expiresAt: string | null;
  }
  const base: Input = {
    jobPublicId: 'one',
    salary: '1 €',
    localisation: null,
    managerEmails: ['a@b.fr', 'c@d.fr'],
    salaryRange: { minimum: '10', maximum: null, currency: 'EUR', period: 'day' },
    expiresAt: '2030-01-31T12:00:00.000Z',
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
    one.set('managerEmails', ['A@b.fr; c@d.fr', ' a@B.fr']);
    one.set('salaryRange.minimum', '10.00');
    one.set('salaryRange.maximum', '');
    one.set('expiresAt', '2030-01-31T14:00+02:00');
    expect(one.changed).toEqual([]);
    one.set('managerEmails', []);
    expect(one.variables().input).toEqual({ jobPublicId: 'one', managerEmails: [] });
  });

  it.each([
    ['undefined', 'localisation', undefined],
    ['empty texts of a group', 'salaryRange', { minimum: '', maximum: '', currency: '', period: '' }],
    ['undefined parts of a group', 'salaryRange', { minimum: undefined, maximum: '' }],
  ])('takes %s for null', (_what, name, value) => {
    const stored = { ...base, localisation: 'Lyon' };
    const one = createEdit(stored, 4);
    one.set(name as 'localisation', value as undefined);
    expect(one.variables().input).toEqual({ jobPublicId: 'one', [name]: null });
    one.merge({ ...stored, [name]: null }, 5);
    expect(one.isDirty).toBe(false);
  });

  it('takes what the gateway made of a sent value, even if it is another text', () => {
    const one = edit();
    one.set('localisation', '<b>Lyon');
    one.saved({ ...base, localisation: 'Lyon' }, 5, one.variables().input);
    expect([one.isDirty, one.get('localisation')]).toEqual([false, 'Lyon']);
  });

  it('takes what follows from a sent value, even if its input was set and set back', () => {
    const one = edit();
    one.set('expiresAt', '2030-02-01');
    one.set('expiresAt', base.expiresAt);
    one.set('salary', '2 €');
    one.saved({ ...base, salary: '2 €', expiresAt: null }, 5, one.variables().input);
    expect([one.isDirty, one.get('expiresAt')]).toEqual([false, null]);
  });

  it.each([
    ['a save was refused', (one: Edit<Input>) => one.save(() => Promise.reject(new Error('refused')))],
    ['its variables were asked for', async (one: Edit<Input>) => void one.variables()],
  ])('takes a colleague’s value after %s and the field was set back', async (_what, attempt) => {
    const one = edit();
    one.set('salary', '2 €');
    await attempt(one).catch(() => undefined);
    one.set('salary', '1 €');
    expect([one.merge({ ...base, salary: '9 €' }, 5), one.changed, one.get('salary')]).toEqual([
      [],
      [],
      '9 €',
    ]);
  });

  it('has the messages of the last save by input, until the input is set again', async () => {
    const one = edit();
    const fields = [
      { path: ['input', 'salaryRange', 'maximum'], code: 'x', reason: 'format', message: 'Too low.' },
      { path: ['input', 'managerEmails', '0'], code: 'x', reason: 'format', message: 'No address.' },
      { path: ['input', 'managerEmails', '1'], code: 'x', reason: 'format', message: 'No address either.' },
    ];
    const extensions = { error: 'validation-failed', status: 422, fields };
    const refusal = Object.assign(new Error(), { errors: [{ message: 'Invalid.', extensions }] });
    one.set('salary', '2 €');
    await expect(one.save(() => Promise.reject(refusal))).rejects.toBe(refusal);
    const managerEmails = 'No address. No address either.';
    expect(one.faults).toEqual({ 'salaryRange.maximum': 'Too low.', managerEmails });
    one.set('salaryRange.minimum', '1');
    expect(one.faults).toEqual({ managerEmails });
    const warnings = [{ code: 'html_cleaned', field: 'salary', message: 'Removed.' }];
    await one.save(({ input }) => Promise.resolve({ input: { ...base, ...input }, version: 5, warnings }));
    expect([one.faults, one.warnings]).toEqual([{}, { salary: 'Removed.' }]);
    one.set('salary', '3 €');
    expect(one.warnings).toEqual({});
  });

  it('asks what a save would say, and marks nothing as saved', async () => {
    const one = edit();
    one.set('salary', '2 €');
    const warnings = [{ field: 'localisation', message: 'Unknown.' }];
    await one.check(({ dryRun, input }) => {
      expect([dryRun, input.salary]).toEqual([true, '2 €']);
      return Promise.resolve({ input: { ...base, ...input }, version: 5, warnings });
    });
    expect([one.version, one.changed, one.warnings]).toEqual([4, ['salary'], { localisation: 'Unknown.' }]);
    const fields = [{ path: ['input', 'salary'], code: 'x', reason: 'format', message: 'Too long.' }];
    const extensions = { error: 'validation-failed', status: 422, fields };
    const refusal = Object.assign(new Error(), { errors: [{ message: 'Invalid.', extensions }] });
    const late = one.check(() => Promise.reject(refusal));
    one.set('salary', '3 €');
    await late;
    expect(one.faults).toEqual({});
    await one.check(() => Promise.reject(refusal));
    expect(one.faults).toEqual({ salary: 'Too long.' });
    await expect(one.check(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    one.discard();
    expect([one.isDirty, one.get('salary'), one.faults]).toEqual([false, '1 €', {}]);
  });

  it('merges by itself if it can read the record, and asks about what both changed', async () => {
    const one = edit();
    const stored = { input: { ...base, localisation: 'Lyon' } as Input, version: 9 };
    const send = ({ input, expectedVersion }: ReturnType<typeof one.variables>) => {
      const extensions = { error: 'version-conflict', status: 412 };
      if (expectedVersion !== stored.version)
        return Promise.reject(Object.assign(new Error(), { errors: [{ message: '', extensions }] }));
      return Promise.resolve({ input: { ...stored.input, ...input }, version: (stored.version += 1) });
    };
    const read = () => Promise.resolve(stored);
    one.set('salary', '2 €');
    await expect(one.save(send)).rejects.toThrow();
    expect((await one.save(send, read))?.input).toMatchObject({ salary: '2 €', localisation: 'Lyon' });
    one.set('salary', '3 €');
    stored.version = 20;
    stored.input = { ...stored.input, salary: '4 €' };
    expect(await one.save(send, read)).toBeNull();
    expect(one.conflicts).toEqual([{ field: 'salary', base: '2 €', mine: '3 €', theirs: '4 €' }]);
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

  it('merges fields that one side changed, and lists those that both changed', () => {
    const one = edit();
    one.set('salary', '2 €');
    one.set('localisation', 'Lyon');
    const theirs = { ...base, salary: '9 €', managerEmails: ['x@y.fr'] };
    const conflict = { field: 'salary', base: '1 €', mine: '2 €', theirs: '9 €' };
    expect(one.merge(theirs, 7)).toEqual([conflict]);
    expect(one.input).toEqual({ ...theirs, salary: '2 €', localisation: 'Lyon' });
    // Leaves out the field in conflict.
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

  it('loses no value of either side, and makes up no conflict, whatever the order of sets, saves and merges', async () => {
    const fields = ['salary', 'localisation'] as const;
    type Name = (typeof fields)[number];
    const step = fc.oneof(
      fc.record({
        by: fc.constantFrom('me', 'them'),
        field: fc.constantFrom(...fields),
        to: fc.constantFrom('a', 'b', 'c', null),
      }),
      fc.record({ by: fc.constantFrom('send', 'refused', 'reply', 'lose', 'merge') }),
    );
    const play = async (steps: readonly { by: string; field?: Name; to?: string | null }[]) => {
      const one = edit();
      let stored = { ...base };
      let version = 4;
      /** The record as I have seen it: an update must overwrite nothing else. */
      let seen = stored;
      /** The values that I have typed, and neither saved nor taken back. */
      const typed = new Map<Name, string | null>();
      const forget = (isGone: (name: Name, value: string | null) => boolean) => {
        for (const [name, value] of typed) if (isGone(name, value)) typed.delete(name);
      };
      const takenBack = (name: Name, value: string | null) => value === one.base[name];
      let flight = null as { sent: Partial<Input>; end: (isLost: boolean) => Promise<void> } | null;
      const isUnderWay = (name: Name) => name in (flight?.sent ?? {});
      for (const { by, field, to = null } of steps) {
        if (by === 'me' && field) {
          one.set(field, to);
          if (to === one.base[field] && !isUnderWay(field)) typed.delete(field);
          else typed.set(field, to);
        } else if (by === 'them' && field) {
          stored = { ...stored, [field]: to };
          version += 1;
        } else if (by === 'refused' && !flight) {
          await one.save(() => Promise.reject(new Error('validation-failed'))).catch(() => undefined);
        } else if (by === 'send' && !flight && one.version === version) {
          expect(stored).toEqual(seen);
          const turn = one.save(
            ({ input }) =>
              new Promise<{ input: Input; version: number }>((resolve, reject) => {
                const reply = { input: (stored = { ...stored, ...input }), version: (version += 1) };
                const end = async (isLost: boolean) => {
                  if (isLost) reject(new Error('away'));
                  else resolve(reply);
                  if (!isLost && reply.version >= one.version) seen = reply.input;
                  await turn.catch(() => undefined);
                };
                flight = { sent: input, end };
              }),
          );
        } else if ((by === 'reply' || by === 'lose') && flight) {
          await flight.end(by === 'lose');
          flight = null;
          forget(takenBack);
        } else if (by === 'merge') {
          forget(
            (name, value) =>
              takenBack(name, value) && !(isUnderWay(name) && flight?.sent[name] === stored[name]),
          );
          one.merge(stored, version);
          seen = stored;
          forget((name, value) => value === stored[name]);
        }
        // A save after another one begins a few microtasks later.
        await new Promise(setImmediate);
        for (const { field: name } of one.conflicts) expect(typed.has(name as Name)).toBe(true);
      }
      for (const [name, value] of typed) expect([name, one.input[name]]).toEqual([name, value]);
      for (const name of fields) if (!typed.has(name)) expect(one.input[name]).toBe(one.base[name]);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), play), sample(1_000));
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

describe('an edit of a new job', () => {
  const reply = (jobPublicId: string, rest: object) => ({ input: { jobPublicId, ...rest }, version: 1 });

  it('sends every field that has a value, and its company and name even without one', () => {
    const one = createEdit({ ...newJobInput('demo-media', 'acme'), salary: '1 €', localisation: 'Lyon' });
    one.set('localisation', '');
    one.set('jobPublicId', 'my-id');
    expect(one.variables()).toEqual({
      input: {
        ...{ mediaPublicId: 'demo-media', companyPublicId: 'acme' },
        ...{ jobPublicId: 'my-id', name: '', salary: '1 €' },
      },
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(createEdit(newJobInput('demo-media')).variables().input).toMatchObject({ companyPublicId: '' });
  });

  it('has one key of its own, and is an edit of the job once it is saved', async () => {
    const one = createEdit(newJobInput('demo-media', 'acme'));
    one.set('name', 'Tester');
    const sent: unknown[] = [];
    const send = async (variables: ReturnType<typeof one.variables>) => {
      sent.push(variables);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return reply('tester', { salary: null });
    };
    const [, second] = await Promise.all([one.save(send), one.save(send)]);
    expect([second, sent.length]).toEqual([null, 1]);
    expect(one.variables()).toEqual({
      input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'tester' },
      expectedVersion: 1,
    });
    expect([one.version, one.isDirty, one.get('name')]).toEqual([1, false, 'Tester']);
    const other = createEdit(newJobInput('demo-media', 'acme')).variables();
    expect((sent[0] as NewJobVariables).idempotencyKey).not.toBe((other as NewJobVariables).idempotencyKey);
  });

  it.each([
    ['its name can change while nothing is created', 0],
    ['the first of two lost answers made the job', 1],
    ['the second of two lost answers made the job', 2],
  ])('keeps its key until it has an answer: %s', async (_what, made) => {
    const one = createEdit(newJobInput('demo-media', 'acme'));
    const keys = new Set<unknown>();
    let calls = 0;
    let stored: string | null = null;
    const send = (variables: ReturnType<typeof one.variables>) => {
      calls += 1;
      keys.add((variables as NewJobVariables).idempotencyKey);
      const sent = JSON.stringify(variables.input);
      if (calls <= 2) {
        if (calls === made) stored = sent;
        return Promise.reject(new TypeError('Failed to fetch'));
      }
      if (sent === (stored ??= sent))
        return Promise.resolve(reply('tester', { salary: null, ...variables.input }));
      const extensions = { error: 'idempotency-key-reuse', status: 422 };
      return Promise.reject(Object.assign(new Error(), { errors: [{ message: 'Reused.', extensions }] }));
    };
    for (const salary of ['1 €', '2 €', '3 €']) {
      one.set('salary', salary);
      await one.save(send).catch(() => undefined);
    }
    expect([keys.size, one.version, one.get('salary')]).toEqual([1, 1, '3 €']);
    expect(one.changed).toEqual(made === 0 ? [] : ['salary']);
  });
});

describe('a rich text in an edit', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<P >',
        '<p/>',
        '<br>',
        '<br />',
        '</br>',
        '<b>',
        '</b>',
        '<ul>',
        '<li>',
        '</li>',
        '</ul>',
        '<h2>',
        '</h2>',
      ],
      ...[
        '<a href="https://a.example/?a=1&amp;b=2">',
        '<a target="_blank" rel="noopener noreferrer" href="https://a.example">',
      ],
      ...[
        '<a href="javascript:x">',
        '<a href="x" href="https://a.example">',
        '</a>',
        '<div>',
        '</div>',
        '<script>',
        '</script>',
      ],
      ...[
        '<p hidden>',
        '<p style="display:none">',
        '<li data-list="bullet">',
        '<ann@mail.example>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
      ],
      ...[
        '&nbsp;',
        '\u00a0',
        '&amp;',
        '&lt;',
        '&gt;',
        '&quot;',
        '&eacute;',
        '&ltp',
        '&',
        '<',
        '>',
        '"',
        ' ',
        '\n',
        '\u2028',
        'a',
        'é',
      ],
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const cleaned = (html: string, wrapPlainText: boolean) =>
    cleanHtml(html, { wrapPlainText, maximum: 20_000 }).html;

  it('has one spelling, which the gateway stores as it stores the text', () => {
    const isSound = (html: string, wrapPlainText: boolean) =>
      expect(cleaned(canonicalHtml(html.trim()), wrapPlainText)).toBe(cleaned(html.trim(), wrapPlainText));
    fc.assert(fc.property(text, fc.boolean(), isSound), sample(1_000));
  });

  it('is as it is stored, however an editor spells it', () => {
    const asEditor = (html: string) =>
      html
        .replaceAll('<br />', '<br>')
        .replaceAll(
          /<a href="([^"]*)" rel="nofollow noopener">/g,
          '<a target="_blank" rel="noopener noreferrer nofollow" href="$1">',
        )
        .replaceAll('\u00a0', '&nbsp;');
    const isKnown = (html: string) => {
      const stored = cleaned(html.trim(), true);
      expect([stored, isSame('descriptionJob', asEditor(stored), stored)]).toEqual([stored, true]);
    };
    fc.assert(fc.property(text, isKnown), sample(1_000));
    for (const empty of ['<p></p>', '<p><br></p>', '<p>&nbsp;</p><p></p>'])
      expect(isSame('description', empty, null)).toBe(true);
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

  it('writes back what it read, and changes nothing (Contract 5.1.11)', async () => {
    const job = await readJob();
    const company = await readCompany();
    await run(UpdateJobDocument, { input: jobInputOf(job), expectedVersion: job.version });
    const { logoUrl, ...input } = companyInputOf(company);
    expect(logoUrl).toMatch(/^http/);
    await run(UpdateCompanyDocument, { input, expectedVersion: company.version });
    expect([await readJob(), await readCompany()]).toEqual([job, company]);
  });

  it('makes a job from nothing, and another from that one without its state and its end (Contract 5.5.2, 5.5.3)', async () => {
    const made: string[] = [];
    const save = (edit: ReturnType<typeof createEdit>) =>
      edit.save(async (variables) => {
        const { createJob } = await run<CreateJobMutation>(CreateJobDocument, variables);
        made.push(createJob!.job.publicId);
        return { input: jobInputOf(createJob!.job), version: createJob!.job.version };
      });
    const first = createEdit(newJobInput('demo-media', 'acme'));
    first.set('name', 'Tester');
    first.set('state', 'published');
    first.set('salaryRange', { minimum: '1', maximum: null, currency: 'EUR', period: 'hour' });
    first.set('managerEmails', ['claire@acme.example']);
    first.set('descriptionJob', '<p>To test</p>');
    await save(first);
    const read = async () => (await run<JobFormQuery>(JobFormDocument, { publicId: made.at(-1) })).job!;
    const job = await read();
    expect(job).toMatchObject({ name: 'Tester', state: 'published', managerEmails: ['claire@acme.example'] });
    await save(createEdit(jobCopyOf(job)));
    const copy = await read();
    expect(copy).toMatchObject({ name: 'Tester', state: 'draft', expiresAt: null, version: 1 });
    const { jobPublicId, ...fields } = jobInputOf(job);
    expect(jobInputOf(copy)).toEqual({
      ...fields,
      jobPublicId: copy.publicId,
      state: 'draft',
      expiresAt: null,
    });
    expect(jobPublicId).not.toBe(copy.publicId);
  });

  it('takes a date for the end of that day, so that two people who choose the same date agree (Contract 5.4.8)', async () => {
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

  it('has the warnings and the faults of a save by input', async () => {
    const { version, ...job } = await readJob();
    const edit = createEdit(jobInputOf({ ...job, version }), version);
    const save = () =>
      edit.save(async (variables) => {
        const { body } = await graphql(gateway, print(UpdateJobDocument), { ...variables }, { token });
        if (body.errors) throw Object.assign(new Error(), body);
        const { job: saved, warnings } = (body.data as unknown as UpdateJobMutation).updateJob!;
        return { input: jobInputOf(saved), version: saved.version, warnings };
      });
    edit.set('descriptionJob', '<p>Text</p><script>1</script>');
    edit.set('localisation', 'Nowhere at all');
    await save();
    expect(edit.warnings).toEqual({
      descriptionJob: 'Some of the HTML is not allowed and was removed.',
      localisation: expect.stringContaining('not recognised'),
    });
    edit.set('salaryRange.minimum', 'much');
    edit.set('managerEmails', ['one', 'two']);
    await save().catch(() => undefined);
    expect([edit.warnings, Object.keys(edit.faults)]).toEqual([{}, ['salaryRange.minimum', 'managerEmails']]);
  });

  it('writes back what was before a change, and names what cannot return (Contract 6.1.4)', async () => {
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
    const references = await run<JobFormQuery>(JobFormDocument, { publicId: ofJob.jobPublicId });
    await run(UpdateJobDocument, { input });
    const described = describeChange(await lastEntry(), references, 'fr').map(({ text }) => text);
    expect(described).toEqual(
      expect.arrayContaining([
        'Salaire affiché: 48 000 € – 58 000 € → 9 €',
        expect.stringMatching(/^Contrat: .* → vide$/),
        expect.stringMatching(/^Rémunération: \d+ – \d+ EUR \/ année → vide$/),
        'Responsables: modifié',
      ]),
    );
    expect(described.join()).not.toMatch(/<p>|permanent/);
    const undo = inputOfHistory(await lastEntry(), { jobPublicId: ofJob.jobPublicId });
    expect(undo.lost).toEqual(['managerEmails']);
    await run(UpdateJobDocument, { input: undo.input });
    expect(jobInputOf(await readJob())).toEqual({ ...before, managerEmails: [] });
  });

  it('publishes an archived job again, and returns no draft (Contract 2.5)', async () => {
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
