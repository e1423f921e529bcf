import { describe, expect, it, jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo, Types } from 'mongoose';
import { commandsOn, linesOf } from '../support/commands.js';
import { openTestDatabase } from '../support/database.js';
import { category, company, faultsIn, job, lastLine, ownImport, update } from './import-lines.js';

const { models, folder, importFiles, importLines, exportAll, storedJob } = ownImport();

describe('npm run import', () => {
  it('reports each fault with file, line, field and code, and writes nothing (Contract 9.2.2)', async () => {
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

  it('reports a code for an unreadable line, an unknown kind, a duplicate and a missing key', async () => {
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
        JSON.stringify({ kind: 'reference', type: 'contract', public_id: 'mine', rank: -1 }),
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
        '-:13: rank: rank-format-error',
        ...['name', 'media_public_id', 'company_public_id'].map(
          (field) => `-:14: ${field}: missing-${field}`,
        ),
      ].sort(),
    );
  });

  it('shortens an unknown key in its warning, and escapes control characters', async () => {
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

  it('names the unknown sectors of a list, and escapes control characters (Contract 5.2.8)', async () => {
    const company = { kind: 'company', public_id: 'acme', sector_id: 'nothing;health;\u001b[2J' };
    const { stderr } = await importLines([company]);
    expect(stderr).toContain('sector_id-not-found: This choice does not exist: nothing, \uFFFD[2J.\n');
  });

  it('names the unknown media in a list with semicolons, and reads a list with commas as one public id', async () => {
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

  it('rejects a line that refers to the record of a faulty line, also in a dry run (Contract 9.2.2)', async () => {
    const id = 'a'.repeat(24);
    const records = [
      category('nameless', { name: undefined }),
      category('first', { id }),
      category('second', { id }),
      { kind: 'media', public_id: 'template-less', name: 'Template-less' },
      company('in-faulty-media', { media_public_id: 'template-less' }),
      company('of-faulty-sector', { sector_id: 'unread' }),
      company('bad', { name: 'Shared', language: 'xx', offices: [] }),
      company('good', { name: 'Shared', domain_url: 'shared.example' }),
      job('at-bad', { company_public_id: 'bad' }),
      job('at-faulty-media', { media_public_id: 'template-less' }),
      job('in-nameless', { job_category_id: 'nameless' }),
      job('in-first', { job_category_id: 'first', company_public_id: 'good' }),
    ];
    const faults = [
      '-:10: media_public_id: media_public_id-not-found',
      '-:11: job_category_id: job_category_id-not-found',
      '-:1: name: missing-name',
      '-:3: id: id-format-error',
      '-:4: job_url_template: missing-job_url_template',
      '-:5: media_public_id: media_public_id-not-found',
      '-:6: sector_id: sector_id-not-found',
      '-:7: language: language-format-error',
      '-:9: company_public_id: company_public_id-not-found',
    ];
    const dry = await importLines(records, '--on-fault', 'skip', '--dry-run');
    expect([faultsIn(dry.stderr), lastLine(dry.stdout)]).toEqual([
      faults,
      '3 inserted, 0 changed, 0 unchanged, 9 faulty',
    ]);
    const written = await importLines(records, '--on-fault', 'skip');
    expect([faultsIn(written.stderr), lastLine(written.stdout)]).toEqual([
      faults,
      '3 inserted, 0 changed, 0 unchanged, 9 faulty',
    ]);
  });

  it('reports the name of a company in an earlier batch, even on a line with other faults and in a dry run (Contract 9.2.2)', async () => {
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

  it('rejects duplicate offices, questions or memberships in a line, and names the second', async () => {
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

  it('gives two offices or questions different ids, even if the line sets the stored id of one on the other', async () => {
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

  it('writes nothing in a dry run, and reports what it would change (Contract 9.2.2)', async () => {
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

  it('reports each name or id that an earlier line has, even in a dry run', async () => {
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

  it('does not store the format of the records in a dry run (Contract 9.2.2, 9.3.4)', async () => {
    const empty = await openTestDatabase();
    const line = { kind: 'media', public_id: 'm', name: 'M', job_url_template: 'https://m.example/{job}' };
    const { code } = await commandsOn(empty.uri).importFiles(['--dry-run', '-'], linesOf([line]));
    expect([code, await empty.connection.collection('formats').countDocuments()]).toEqual([0, 0]);
    await empty.close();
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
