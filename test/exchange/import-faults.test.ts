import { describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo, Types } from 'mongoose';
import { readRecords } from '../../src/exchange/input/input-file.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { openTestDatabase } from '../support/database.js';
import { category, company, faultsIn, job, lastLine, ownImport, update } from './import-lines.js';

const { models, folder, importFiles, importLines, exportAll, storedJob } = ownImport();

describe('npm run import', () => {
  it('reports each fault with file, line, field and code, and writes nothing (Contract 12.3.3, 12.3.4)', async () => {
    const records = Array.from({ length: 1_000 }, (_, index) =>
      job(`porter-${index}`, index % 25 === 0 ? { salary: 'x'.repeat(31) } : {}),
    );
    const path = join(folder(), 'jobs.jsonl');
    await writeFile(path, linesOf(records));
    const { code, stdout, stderr } = await importFiles([path]);
    expect(code).toBe(1);
    expect(faultsIn(stderr)).toEqual(
      Array.from({ length: 40 }, (_, index) => `${path}:${index * 25 + 1}: salary: salary-too-long`).sort(),
    );
    expect(lastLine(stdout)).toBe('0 inserted, 0 changed, 0 unchanged, 40 faulty');
    expect(await models.jobs.countDocuments({ publicId: /^porter-/ })).toBe(0);

    const skipping = await importFiles(['--on-fault', 'skip', path]);
    expect(skipping.code).toBe(1);
    expect(faultsIn(skipping.stderr)).toHaveLength(40);
    expect(lastLine(skipping.stdout)).toBe('960 inserted, 0 changed, 0 unchanged, 40 faulty');
    expect(await models.jobs.countDocuments({ publicId: /^porter-/ })).toBe(960);
  });

  it('reports a code for an unreadable line, an unknown kind, a duplicate and a missing key (Contract 12.3.3)', async () => {
    const { code, stderr, stdout } = await importFiles(
      ['-'],
      [
        'no JSON',
        '[]',
        '{"kind":"advert","public_id":"x"}',
        '{"public_id":"x"}',
        '{"kind":"job"}',
        JSON.stringify(
          job('new', { company_public_id: 'nobody', media_public_id: 'nowhere', office_id: 'x' }),
        ),
        JSON.stringify(job('new')),
        '',
        JSON.stringify(update({ contract_id: 'forever', salary: 5, questions: [{ ref: 'x' }] })),
        JSON.stringify(
          job('acme-office-manager', { salary: ['1k'], manager_emails: 5, recruiter_emails: ['a', 5] }),
        ),
        JSON.stringify({ kind: 'job', public_id: 'lacking' }),
        JSON.stringify({ kind: 'company', public_id: 'other', name: 'ACME' }),
        JSON.stringify({ kind: 'reference', type: 'contract', public_id: 'mine', parent_public_id: 'x' }),
        '{"kind":"job","public_id":"strange","constructor":"x","__proto__":"x"}',
      ].join('\n'),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch('unknown-field of constructor: 1 line, -:14');
    expect(faultsIn(stderr)).toEqual(
      [
        '-:1: body: body-format-error',
        '-:2: body: body-format-error',
        '-:3: kind: kind-format-error',
        '-:4: kind: missing-kind',
        '-:5: public_id: missing-public_id',
        ...['name', 'media_public_id', 'company_public_id'].map((field) => `-:5: ${field}: missing-${field}`),
        '-:6: company_public_id: company_public_id-not-found',
        '-:6: media_public_id: media_public_id-not-found',
        '-:6: office_id: office_id-not-found',
        '-:7: public_id: public_id-format-error',
        '-:9: contract_id: contract_id-not-found',
        '-:9: salary: salary-must-be-string',
        '-:9: questions: questions-format-error',
        '-:10: salary: salary-must-be-string',
        ...['manager_emails', 'recruiter_emails'].map(
          (field) => `-:10: ${field}: ${field}-must-be-array-of-strings`,
        ),
        ...['name', 'media_public_id', 'company_public_id'].map(
          (field) => `-:11: ${field}: missing-${field}`,
        ),
        '-:12: name: company-already-existed',
        '-:13: name: missing-name',
        '-:13: parent_public_id: parent_public_id-format-error',
        ...['name', 'media_public_id', 'company_public_id'].map(
          (field) => `-:14: ${field}: missing-${field}`,
        ),
      ].sort(),
    );
  });

  it('shortens an unknown key in its warning, and escapes control characters (Contract 12.3.3, 8.6.8)', async () => {
    const forged = '\u001b[2J\u009b1m\n-:9: ok\u2028\u202e';
    const shown = '\uFFFD[2J\uFFFD1m\uFFFD-:9: ok\uFFFD\uFFFD';
    const jobs = ['acme-backend-engineer', 'acme-office-manager', 'acme-night-guard'];
    const records = [forged, 'k'.repeat(100_000), 'constructor'].map((key, index) => ({
      ...{ kind: 'job', public_id: jobs[index], [key]: 'x', location: { [key]: 'x' } },
    }));
    const { stdout, stderr } = await importLines(records);
    for (const [index, key] of [shown, `${'k'.repeat(40)}…`, 'constructor'].entries()) {
      expect(stderr).toContain(
        `-:${index + 1}: location: location-format-error: location must be an object without ${key}.\n`,
      );
      expect(stdout).toContain(`unknown-field of ${key}: 1 line, -:${index + 1}\n`);
    }
  });

  it('names the unknown sectors of a list, and escapes control characters (Contract 4.1.4.2, 12.3.3)', async () => {
    const company = { kind: 'company', public_id: 'acme', sector_id: 'nothing;health;\u001b[2J' };
    const { stderr } = await importLines([company]);
    expect(stderr).toContain(
      'sector_id-not-found: This field does not match any record: nothing, \uFFFD[2J.\n',
    );
  });

  it('names the unknown media in a list with semicolons, and reads a list with commas as one public id (Contract 12.3.3)', async () => {
    const company = { kind: 'company', public_id: 'hooli', name: 'Hooli' };
    const { stderr } = await importLines([
      { ...company, media_public_id: 'demo-media;nope;other-media' },
      { ...company, public_id: 'comma', name: 'Comma', media_public_id: 'demo-media,other-media' },
    ]);
    expect(stderr).toMatch(
      /^-:1: media_public_id: media_public_id-not-found: .* no media nope in the database /m,
    );
    expect(stderr).toMatch(/^-:2: .* no media demo-media,other-media in the database/m);
  });

  it('rejects a line that refers to the record of a faulty line, also in a dry run (Contract 12.3.4)', async () => {
    const id = 'a'.repeat(24);
    const records = [
      category('grandchild', { parent_public_id: 'child' }),
      category('child', { parent_public_id: 'nameless' }),
      category('nameless', { name: undefined }),
      category('first', { id }),
      category('second', { id }),
      category('below-second', { parent_public_id: 'second' }),
      category('below-first', { parent_public_id: 'first' }),
      { kind: 'media', public_id: 'template-less', name: 'Template-less' },
      company('in-faulty-media', { media_public_id: 'template-less' }),
      company('of-faulty-sector', { sector_id: 'unread' }),
      company('bad', { name: 'Shared', language: 'xx', offices: [] }),
      company('good', { name: 'Shared', domain_url: 'shared.example' }),
      job('at-bad', { company_public_id: 'bad' }),
      job('at-faulty-media', { media_public_id: 'template-less' }),
      job('in-grandchild', { job_category_id: 'grandchild' }),
      job('in-below-first', { job_category_id: 'below-first', company_public_id: 'good' }),
    ];
    const faults = [
      '-:10: sector_id: sector_id-not-found',
      '-:11: language: language-format-error',
      '-:13: company_public_id: company_public_id-not-found',
      '-:14: media_public_id: media_public_id-not-found',
      '-:15: job_category_id: job_category_id-not-found',
      '-:1: parent_public_id: parent_public_id-not-found',
      '-:2: parent_public_id: parent_public_id-not-found',
      '-:3: name: missing-name',
      '-:5: id: id-format-error',
      '-:6: parent_public_id: parent_public_id-not-found',
      '-:8: job_url_template: missing-job_url_template',
      '-:9: media_public_id: media_public_id-not-found',
    ];
    const dry = await importLines(records, '--on-fault', 'skip', '--dry-run');
    expect([faultsIn(dry.stderr), lastLine(dry.stdout)]).toEqual([
      faults,
      '4 inserted, 0 changed, 0 unchanged, 12 faulty',
    ]);
    const written = await importLines(records, '--on-fault', 'skip');
    expect([faultsIn(written.stderr), lastLine(written.stdout)]).toEqual([
      faults,
      '4 inserted, 0 changed, 0 unchanged, 12 faulty',
    ]);
    const stored = await models.references.find({ kind: 'job_category' }).lean();
    const publicIds = new Set(stored.map(({ publicId }) => publicId));
    expect(stored.filter(({ parent }) => parent !== null && !publicIds.has(parent))).toEqual([]);
    expect(publicIds.has('below-first')).toBe(true);
  });

  it('rejects a category cycle of lines and stored records (Contract 12.3.3)', async () => {
    const under = (publicId: string, parent?: string | null) =>
      category(publicId, { parent_public_id: parent });
    const refused = await importLines([
      under('own', 'own'),
      ...[under('y', 'z'), under('z', 'y'), under('below', 'y')],
    ]);
    expect(faultsIn(refused.stderr)).toEqual([
      ...[1, 2, 3].map((line) => `-:${line}: parent_public_id: parent_public_id-format-error`),
      '-:4: parent_public_id: parent_public_id-not-found',
    ]);
    expect((await importLines([under('top'), under('middle', 'top'), under('low', 'middle')])).code).toBe(0);
    expect(faultsIn((await importLines([under('top', 'low')])).stderr)).toEqual([
      '-:1: parent_public_id: parent_public_id-format-error',
    ]);
    expect((await importLines([under('top', 'low'), under('low', null), under('middle')])).code).toBe(0);
    // A faulty line changes nothing, so `top` stays below `low`.
    const records = [{ ...under('top', null), id: 'x' }, under('low', 'top')];
    expect(faultsIn((await importLines(records, '--on-fault', 'skip')).stderr)).toEqual([
      '-:1: id: id-format-error',
      '-:2: parent_public_id: parent_public_id-format-error',
    ]);
  });

  it('reports the name of a company in an earlier batch, even on a line with other faults and in a dry run (Contract 12.3.4)', async () => {
    // A batch of a thousand lines is written while the next batch is checked.
    const first = Array.from({ length: 1_000 }, (_, index) => company(`co-${index}`));
    const records = [...first, company('late', { name: 'co-999', size_id: 'absent' })];
    const faults = ['-:1001: name: company-already-existed', '-:1001: size_id: size_id-not-found'];
    const insertMany = Reflect.get(
      mongo.Collection.prototype,
      'insertMany',
    ) as mongo.Collection['insertMany'];
    const slowly = jest.spyOn(mongo.Collection.prototype, 'insertMany');
    slowly.mockImplementation(async function (this: mongo.Collection, ...given) {
      await sleep(500);
      return insertMany.apply(this, given);
    });
    for (const options of [['--dry-run'], []])
      expect(faultsIn((await importLines(records, '--on-fault', 'skip', ...options)).stderr)).toEqual(faults);
    slowly.mockRestore();
  });

  it('rejects duplicate offices, questions or memberships in a line, and names the second (Contract 12.3.3)', async () => {
    const name = { en: 'x', fr: 'x' };
    const id = 'a'.repeat(24);
    const question = (ref: string, given: object = {}) => ({
      ...{ name: ref, ref, ref_type: 'string', title: name, is_required: true, ...given },
    });
    const company = (given: object) => ({ kind: 'company', public_id: 'acme', ...given });
    const refused: [object, string, string][] = [
      [
        company({ offices: ['a', 'b', 'a'].map((office) => ({ public_id: office, name })) }),
        'offices',
        '[2].public_id',
      ],
      [
        company({ offices: ['a', 'b'].map((office) => ({ public_id: office, name, id })) }),
        'offices',
        '[1].id',
      ],
      [
        company({
          memberships: [true, false].map((isPublished) => ({
            ...{ media_public_id: 'demo-media', is_published: isPublished },
          })),
        }),
        ...(['memberships', '[1].media_public_id'] as const),
      ],
      [update({ questions: [question('a'), question('a')] }), 'questions', '[1].ref'],
      [
        update({ questions: [question('a', { _id: id }), question('b', { _id: id })] }),
        'questions',
        '[1]._id',
      ],
    ];
    for (const [record, field, place] of refused)
      expect((await importLines([record])).stderr).toMatch(
        `-:1: ${field}: ${field}-format-error: ${field} must be valid: ${place} must be unique in the list.\n`,
      );
    const several = update({ questions: [question('a'), question('b')] });
    expect((await importLines([several])).stdout).toMatch(/^0 inserted, 1 changed/m);
    expect((await importLines([several])).stdout).toMatch(/0 changed, 1 unchanged/);
  });

  it('gives two offices or questions different ids, even if the line sets the stored id of one on the other (Contract 12.3.3)', async () => {
    const name = { en: 'x', fr: 'x' };
    const id = 'a'.repeat(24);
    const offices = (...given: object[]) => ({
      ...{ kind: 'company', public_id: 'acme', offices: given.map((office) => ({ name, ...office })) },
    });
    const questions = (...given: object[]) =>
      update({
        questions: given.map((question) => ({
          ...{ name: 'x', ref_type: 'string', title: name, is_required: true, ...question },
        })),
      });
    const idsOf = async () => {
      const company = await models.companies.findOne({ publicId: 'acme' }).lean();
      const stored = await storedJob('acme-backend-engineer');
      return [company?.offices, stored?.questions].map((list) => list?.map(({ _id }) => String(_id)));
    };
    const both = [
      offices({ id, public_id: 'lyon' }, { public_id: 'paris' }),
      questions({ _id: id, ref: 'lyon' }, { ref: 'paris' }),
    ];
    await importLines([offices({ id, public_id: 'paris' }), questions({ _id: id, ref: 'paris' })]);
    expect(await idsOf()).toEqual([[id], [id]]);
    await importLines(both);
    const ids = await idsOf();
    for (const list of ids) expect(list).toEqual([id, expect.not.stringMatching(id)]);
    // The same keys in another order would count as a change.
    const acme = await models.companies.findOne({ publicId: 'acme' }).lean();
    expect(acme?.offices.map((office) => Object.keys(office))).toEqual([
      ['_id', 'publicId', 'name'],
      ['_id', 'publicId', 'name'],
    ]);
    expect((await importLines(both)).stdout).toMatch(/0 changed, 2 unchanged/);

    // Another program can give two offices the same id.
    const one = ['lyon', 'paris'].map((publicId) => ({ _id: new Types.ObjectId(id), publicId, name }));
    await models.companies.updateOne({ publicId: 'acme' }, { offices: one });
    await importLines([offices({ public_id: 'lyon' }, { public_id: 'paris' })]);
    expect((await idsOf())[0]).toEqual([id, expect.not.stringMatching(id)]);
  });

  it('writes nothing in a dry run, and reports what it would change (Contract 12.3.4)', async () => {
    const before = await exportAll('--with-history');
    const { code, stdout } = await importLines(
      [
        job('of-new', { company_public_id: 'new', media_public_id: 'fresh' }),
        { kind: 'company', public_id: 'new', name: 'New', memberships: [{ media_public_id: 'fresh' }] },
        { kind: 'media', public_id: 'fresh', name: 'Fresh', job_url_template: 'https://fresh.example/{job}' },
        update({ salary: 'other' }),
      ],
      '--dry-run',
    );
    expect(code).toBe(0);
    expect(lastLine(stdout)).toBe('3 inserted, 1 changed, 0 unchanged, 0 faulty');
    expect((await exportAll('--with-history')).stdout).toBe(before.stdout);
    // By default, one faulty line prevents all writes.
    const mixed = [job('good'), update({ salary: 'other' }), { kind: 'nothing' }];
    for (const rest of [['--dry-run'], []])
      expect(lastLine((await importLines(mixed, ...rest)).stdout)).toBe(
        '0 inserted, 0 changed, 0 unchanged, 1 faulty',
      );
  });

  it('reports each name or id that an earlier line has, even in a dry run (Contract 12.3.3, 12.3.9)', async () => {
    const id = '65f2c0ffee0000000000e001';
    const records = [
      { kind: 'company', public_id: 'first', id, name: 'Brought', domain_url: 'brought.example' },
      {
        kind: 'company',
        public_id: 'second',
        id,
        name: 'brought',
        domain_url: 'www.brought.example',
        size_id: 'no',
      },
    ];
    const faults = [
      '-:2: domain_url: company-already-existed',
      '-:2: id: id-format-error',
      '-:2: name: company-already-existed',
      '-:2: size_id: size_id-not-found',
    ];
    for (const rest of [['--dry-run'], []]) {
      const { stdout, stderr } = await importLines(records, '--on-fault', 'skip', ...rest);
      expect([lastLine(stdout), faultsIn(stderr)]).toEqual([
        '1 inserted, 0 changed, 0 unchanged, 1 faulty',
        faults,
      ]);
    }
  });

  it('does not store the format of the records in a dry run (Contract 11.11, 12.3.4)', async () => {
    const empty = await openTestDatabase();
    const line = { kind: 'media', public_id: 'm', name: 'M', job_url_template: 'https://m.example/{job}' };
    const { code } = await commandsOn(empty.uri).importFiles(['--dry-run', '-'], linesOf([line]));
    expect([code, await empty.connection.collection('formats').countDocuments()]).toEqual([0, 0]);
    await empty.close();
  });

  it('reports each line with too many values or levels, and imports the valid lines (Contract 12.3.3, 12.3.4)', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const values = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    const line = (id: string, note: string) => JSON.stringify(job(id)).replace(/}$/, `,"note":${note}}\n`);
    const text = [
      line('within', `["${'[{,\\\\\\"'.repeat(30_000)}",${nested(30)},${values(90_000)}]`),
      line('deep', nested(5_000)),
      line('deeper', `{"a":${nested(31)}}`),
      line('wide', values(100_000)),
      line('unclosed', '['.repeat(2_000_000)),
      line('good', '1'),
    ];
    const { code, stdout, stderr } = await importFiles(['--on-fault', 'skip', '-'], text.join(''));
    expect(faultsIn(stderr)).toEqual([2, 3, 4, 5].map((number) => `-:${number}: body: body-format-error`));
    expect([code, lastLine(stdout)]).toEqual([1, '2 inserted, 0 changed, 0 unchanged, 4 faulty']);

    const csv = `public_id,questions,salary\nwithin,${nested(5_000)},\ngood,,"${'['.repeat(30)}"\n`;
    const read = await importFiles(['--kind', 'job', '--on-fault', 'skip', '-'], csv);
    expect(faultsIn(read.stderr)).toEqual(['-:2: body: body-format-error']);
    expect(lastLine(read.stdout)).toBe('0 inserted, 1 changed, 0 unchanged, 1 faulty');
  });

  it('reads a line over 16 MiB only if its logo is that long (Contract 12.3.3, 12.3.8)', async () => {
    const bytes = randomBytes(13 * 2 ** 20);
    const base64 = bytes.toString('base64');
    const name = join(folder(), 'long.jsonl');
    const note = `,"note":"${base64}"`;
    const company = { kind: 'company', public_id: 'é"€', logo: { base64, sha256: 'x' } };
    const lines = [
      JSON.stringify(company),
      JSON.stringify(job('long')).replace(/}$/, `${note}}`),
      JSON.stringify(company).replace(/}$/, `${note}}`),
      '{"kind":"job"}',
    ];
    await writeFile(name, lines.join('\n'));
    const handle = await open(name);
    const records = [];
    for await (const some of readRecords({ name, handle, bytes: 0, csvKind: undefined }, () => undefined))
      records.push(...some);
    await handle.close();
    const [first, ...others] = records;
    const { logo, ...rest } = first!.values as { logo: { base64: Buffer; sha256: string } };
    expect(logo.base64.equals(bytes)).toBe(true);
    expect([rest, logo.sha256]).toEqual([{ kind: 'company', public_id: 'é"€' }, 'x']);
    const problem = expect.stringMatching(/ 16 MiB, or 112 MiB with a logo\.$/);
    expect(others).toEqual([
      { number: 2, values: null, problem },
      { number: 3, values: null, problem },
      { number: 4, values: { kind: 'job' }, length: 14 },
    ]);
  });

  it('counts at most a hundred kinds of warnings (Contract 7.5.1)', async () => {
    const unknown = Array.from({ length: 150 }, (_, index) => [`key${index}`, 1] as const);
    const { code, stdout } = await importLines([
      update(Object.fromEntries(unknown)),
      job('new', { key0: 1 }),
    ]);
    expect(code).toBe(0);
    expect(stdout.match(/^unknown-field of key\d+: 1 line, -:1$/gm)).toHaveLength(99);
    expect(stdout).toMatch(/^unknown-field of key0: 2 lines, the first -:1$/m);
  });
});
