import { describe, expect, it } from '@jest/globals';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readRecords } from '../../src/exchange/input/input-file.js';
import { linesOf } from '../support/commands.js';
import { faultsIn, job, lastLine, ownImport } from './import-lines.js';

const { models, folder, importFiles, storedJob } = ownImport();

describe('npm run import', () => {
  it('reads gzip, and CSV with lists separated by ";" (Contract 12.3.1)', async () => {
    const zipped = join(folder(), 'jobs.jsonl.gz');
    await writeFile(zipped, gzipSync(linesOf([job('zipped')])));
    expect((await importFiles([zipped])).stdout).toMatch(/^1 inserted/m);
    const csv = join(folder(), 'jobs.csv');
    await writeFile(
      csv,
      '\uFEFFpublic_id,media_public_id,company_public_id,name,recruiter_emails,salary,location\r\n' +
        'sheet,demo-media,acme,"Porter, night",a@acme.example;b@acme.example,,"{""city"":""Lyon""}"\r\n' +
        'short,demo-media\r\n' +
        'long,demo-media,acme,Porter,,0123456789012345678901234567890,\r\n',
    );
    const { code, stdout, stderr } = await importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect([code, lastLine(stdout)]).toEqual([1, '1 inserted, 0 changed, 0 unchanged, 2 faulty']);
    expect(faultsIn(stderr)).toEqual([
      `${csv}:3: body: body-format-error`,
      `${csv}:4: salary: salary-too-long`,
    ]);
    expect(await storedJob('sheet')).toMatchObject({
      ...{ name: 'Porter, night', recruiterEmails: ['a@acme.example', 'b@acme.example'], salary: null },
      location: { city: 'Lyon' },
    });
    const companies =
      'public_id,name,media_public_id,is_published\nhooli,Hooli,demo-media;other-media,true\n';
    expect((await importFiles(['--kind', 'company', '-'], companies)).code).toBe(0);
    expect(await models.companies.findOne({ publicId: 'hooli' }).lean()).toMatchObject({
      memberships: [
        { media: 'demo-media', isPublished: true, isVmePagePublished: false },
        { media: 'other-media', isPublished: true, isVmePagePublished: false },
      ],
    });
  });

  it('keeps the stored value if a CSV cell is empty (Contract 12.3.1)', async () => {
    const before = await storedJob('acme-backend-engineer');
    const csv = 'public_id,salary,localisation,manager_emails\nacme-backend-engineer,, ,\n';
    const { stdout } = await importFiles(['--kind', 'job', '-'], csv);
    expect(lastLine(stdout)).toBe('0 inserted, 0 changed, 1 unchanged, 0 faulty');
    expect(await storedJob('acme-backend-engineer')).toEqual(before);
  });

  it('counts CSV lines by line feeds, even with carriage returns in a cell (Contract 12.3.3)', async () => {
    const csv = join(folder(), 'returns.csv');
    const long = `"x\ry\r\nz\n${'x'.repeat(31)}"`;
    for (const end of ['\n', '\r\n']) {
      await writeFile(csv, ['public_id,salary', `a,${long}`, `b,${long}`, '\r', `c,${long}`].join(end) + end);
      const { stderr } = await importFiles(['--kind', 'job', csv]);
      const lines = (await readFile(csv, 'utf8')).split('\n');
      expect(faultsIn(stderr).filter((report) => report.includes('salary'))).toEqual(
        ['a', 'b', 'c'].map(
          (id) => `${csv}:${lines.findIndex((line) => line.startsWith(id)) + 1}: salary: salary-too-long`,
        ),
      );
    }
  });

  it('accepts the character U+FFFD in CSV, as in JSON Lines (Contract 12.3.3)', async () => {
    const path = join(folder(), 'replaced.csv');
    const read = async (csv: string | Buffer) => {
      await writeFile(path, csv);
      return importFiles(['--kind', 'job', path]);
    };
    const csv = '\uFEFF"public_id","salary"\nacme-backend-engineer,"1 \uFFFD\u00a0€"\n\u00a0,\n';
    expect((await read(csv)).stdout).toMatch(/^0 inserted, 1 changed, 0 unchanged, 0 faulty$/m);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ salary: '1 \uFFFD\u00a0€' });
    const utf16 = Buffer.from('\uFEFFpublic_id,salary\nacme-backend-engineer,2\n', 'utf16le');
    expect((await read(utf16)).stderr).toMatch(/:1: body: body-format-error: .* in UTF-8\./);
  });

  it('rejects CSV with two columns of the same name, and a line whose kind differs from --kind (Contract 12.3.3)', async () => {
    const read = (csv: string) => importFiles(['--kind', 'job', '--on-fault', 'skip', '-'], csv);
    const doubled = await read('public_id,salary,,salary ,\nacme-backend-engineer,1,,2,\n');
    expect([lastLine(doubled.stdout), doubled.stderr]).toEqual([
      '0 inserted, 0 changed, 0 unchanged, 1 faulty',
      expect.stringMatching(
        '-:1: body: body-format-error: The line must name each column once. The rest of the file',
      ),
    ]);
    const other = await read(
      'kind,public_id,salary,,\ncompany,acme-office-manager,1,,\njob,acme-backend-engineer,1,,\n,acme-night-guard,1,,\n',
    );
    expect([lastLine(other.stdout), faultsIn(other.stderr)]).toEqual([
      '0 inserted, 2 changed, 0 unchanged, 1 faulty',
      ['-:2: kind: kind-format-error'],
    ]);
  });

  it.each([
    ['bars between the cells', 'public_id|salary\nacme-backend-engineer|1\n'],
    ['the column names of another program', 'Job ID,Salary\nacme-backend-engineer,1\nacme-night-guard,1\n'],
    ['no column names', 'acme-backend-engineer,1\nacme-night-guard,1\n'],
  ])(
    'says what the first CSV line must name, and reports no other line, if the CSV has %s (Contract 12.3.3)',
    async (_, csv) => {
      const { code, stderr } = await importFiles(['--kind', 'job', '-'], csv);
      expect([code, faultsIn(stderr)]).toEqual([1, ['-:1: body: body-format-error']]);
      expect(stderr).toMatch(
        'The line must name the columns, public_id among them, separated by commas, semicolons or tabs. The rest of the file',
      );
    },
  );

  it.each([',', ';', '\t'])(
    'separates CSV cells by %j if the first line does (Contract 12.3.1)',
    async (between) => {
      const csv = [
        ['"note;,\t"', 'public_id', 'salary', 'recruiter_emails'],
        ['', 'acme-backend-engineer', '"1, 2;\t3"', '"a@acme.example;b@acme.example"'],
      ];
      // A blank line and separators inside quotes do not count.
      const text = '\uFEFF\r\n' + csv.map((cells) => cells.join(between) + '\r\n').join('');
      const { stdout, stderr } = await importFiles(['--kind', 'job', '-'], text);
      expect([lastLine(stdout), faultsIn(stderr)]).toEqual([
        '0 inserted, 1 changed, 0 unchanged, 0 faulty',
        [],
      ]);
      expect(await storedJob('acme-backend-engineer')).toMatchObject({
        salary: '1, 2;\t3',
        recruiterEmails: ['a@acme.example', 'b@acme.example'],
      });
    },
  );

  it('accepts booleans in any case in CSV, as spreadsheets and scripts write them (Contract 12.3.1)', async () => {
    const read = async (cell: string) => {
      const csv = `public_id,name,media_public_id,is_published\nsheets,TRUE,demo-media,${cell}\n`;
      const { stderr } = await importFiles(['--kind', 'company', '-'], csv);
      const stored = await models.companies.findOne({ publicId: 'sheets' }).lean();
      return [stored?.name, stored?.memberships[0]?.isPublished, faultsIn(stderr)];
    };
    expect(await read('TRUE')).toEqual(['TRUE', true, []]);
    expect(await read('FALSE')).toEqual(['TRUE', false, []]);
    expect(await read('True')).toEqual(['TRUE', true, []]);
    expect(await read('fAlse')).toEqual(['TRUE', false, []]);
    expect(await read('VRAI')).toEqual(['TRUE', false, ['-:2: is_published: is_published-format-error']]);
  });

  it.each([
    [';', 'sep=;\npublic_id;salary\nacme-backend-engineer;"1, 2"\n'],
    ['|', '\uFEFFSEP=|\r\npublic_id|salary\r\nacme-backend-engineer|1, 2\r\n'],
    [';', '"sep=;"\n\n"public_id";"salary"\nacme-backend-engineer;1, 2\n'],
    [',', 'sep=,\npublic_id,salary\nacme-backend-engineer,"1, 2"\n'],
  ])('reads CSV with the separator %s that its first line names (Contract 12.3.1)', async (_, csv) => {
    const { stderr, code } = await importFiles(['--kind', 'job', '-'], `${csv}x`);
    const number = csv.split('\n').length;
    expect([code, faultsIn(stderr)]).toEqual([1, [`-:${number}: body: body-format-error`]]);
    await importFiles(['--kind', 'job', '-'], csv);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ salary: '1, 2' });
  });

  it('reports a wrong number of cells in a CSV line, and where a line stops being JSON (Contract 12.3.3)', async () => {
    const short = await importFiles(['--kind', 'job', '-'], 'public_id,,salary\na,"b\nc"\n');
    expect(short.stderr).toMatch(
      '-:2: body: body-format-error: The line must have 3 cells like the first line, not 2.',
    );
    const text = '{"kind": "job"}\n[]\n\n{"kind": "job", public_id: "a"}\n{"kind": "job",\r\n{"kind": "job"';
    const { stderr } = await importFiles(['-'], text);
    const told = stderr
      .match(/^-:\d+: body: .* with a logo\..*$/gm)
      ?.map((line) => line.replace(/: .* with a logo\./, ':'));
    expect(told).toEqual([
      '-:2:',
      '-:4: It is not JSON from character 17 on.',
      '-:5: It is not JSON from character 17 on.',
      '-:6: It is not JSON from character 15 on.',
    ]);
  });

  it('reports an unnamed CSV column with a value by its number (Contract 12.3.3)', async () => {
    const csv = 'public_id,,\nacme-backend-engineer,,\nacme-night-guard,,note\n';
    const { stdout } = await importFiles(['--kind', 'job', '-'], csv);
    expect(stdout).toMatch(/^unknown-field of column 3: 1 line, -:3$/m);
  });

  it('rejects a CSV line that is not UTF-8, and reads the other lines (Contract 12.3.3, 4.3.5)', async () => {
    const csv = join(folder(), 'latin.csv');
    const text =
      'public_id,media_public_id,company_public_id,name\n' +
      'before,demo-media,acme,Porter\n' +
      'latin,demo-media,acme,"D\u00e9veloppeur,\nsenior"\n' +
      'after,demo-media,acme,Porter\n';
    await writeFile(csv, text, 'latin1');
    const { code, stdout, stderr } = await importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect([code, lastLine(stdout)]).toEqual([1, '2 inserted, 0 changed, 0 unchanged, 1 faulty']);
    expect(stderr).toMatch(`${csv}:3: body: body-format-error: The line must be in UTF-8.\n`);
    expect(await storedJob('latin')).toBeNull();
    expect(await storedJob('after')).not.toBeNull();

    await writeFile(csv, text.replace('name', 'nam\u00e9'), 'latin1');
    const headless = await importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect(lastLine(headless.stdout)).toBe('0 inserted, 0 changed, 0 unchanged, 1 faulty');
    expect(headless.stderr).toMatch(
      `${csv}:1: body: body-format-error: The line must be in UTF-8. The rest of the file was not read.\n`,
    );
  });

  it.each([
    ['a quote that is not doubled', '"a"b'],
    ['a quote inside an unquoted cell', 'a"b"'],
    ['a quoted cell that does not end', '"a'],
  ])('stops reading CSV after %s (Contract 12.3.3, 12.3.4)', async (_, name) => {
    const csv = join(folder(), 'broken.csv');
    await writeFile(
      csv,
      'public_id,media_public_id,company_public_id,name\r\n' +
        '"before","demo-media","acme","Night\r\n""porter"""\r\n' +
        `broken,demo-media,acme,${name}\r\n` +
        'hidden,demo-media,acme,Porter\r\n' +
        '","\r\n',
    );
    const { code, stdout, stderr } = await importFiles([...['--kind', 'job', '--on-fault', 'skip'], csv]);
    expect([code, lastLine(stdout)]).toEqual([1, '1 inserted, 0 changed, 0 unchanged, 1 faulty']);
    expect(faultsIn(stderr)).toEqual([`${csv}:4: body: body-format-error`]);
    expect(stderr).toMatch(/The rest of the file was not read\.$/m);
    expect(await storedJob('before')).toMatchObject({ name: 'Night\r\n"porter"' });
    expect(await storedJob('hidden')).toBeNull();
  });

  it('accepts a CSV record of at most 16 MiB, even within a quote (Contract 12.3.3)', async () => {
    const name = join(folder(), 'long.csv');
    await writeFile(name, `public_id,name\nshort,Porter\nlong,"${'x'.repeat(2 ** 24)}"\n`);
    const handle = await open(name);
    const records = [];
    for await (const some of readRecords({ name, handle, bytes: 0, csvKind: 'job' }, () => undefined))
      records.push(...some);
    await handle.close();
    expect(records).toEqual([
      { number: 2, values: { public_id: 'short', name: 'Porter' }, length: 12 },
      { number: 3, values: null, problem: expect.stringMatching(/^The line must be CSV of at most 16 MiB/) },
    ]);
  });
});
