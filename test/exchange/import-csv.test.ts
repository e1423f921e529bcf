import { describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { linesOf } from '../support/commands.js';
import { faultsIn, job, lastLine, ownImport } from './import-lines.js';

const { models, folder, importFiles, storedJob } = ownImport();

describe('npm run import', () => {
  it('reads gzip, and CSV with lists separated by ";"', async () => {
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

  it('keeps the stored value if a CSV cell is empty', async () => {
    const before = await storedJob('acme-backend-engineer');
    const csv = 'public_id,salary,localisation,manager_emails\nacme-backend-engineer,, ,\n';
    const { stdout } = await importFiles(['--kind', 'job', '-'], csv);
    expect(lastLine(stdout)).toBe('0 inserted, 0 changed, 1 unchanged, 0 faulty');
    expect(await storedJob('acme-backend-engineer')).toEqual(before);
  });

  it.each([
    ['a header that ends in CRLF and rows that end in LF', ['\r\n', '\n', '\n']],
    ['a header that ends in LF and rows that end in CRLF', ['\n', '\r\n', '\r\n']],
  ])('reads CSV with %s, quoted or not', async (_, ends) => {
    const publicId = 'acme-backend-engineer';
    for (const [first, second] of [
      ['1', '2'],
      ['"3,4"', '"5"'],
    ]) {
      const rows = ['public_id,salary', `${publicId},${first}`, `acme-night-guard,${second}`];
      const csv = rows.map((row, index) => row + ends[index]).join('');
      const { stdout, stderr } = await importFiles(['--kind', 'job', '-'], csv);
      expect([lastLine(stdout), faultsIn(stderr)]).toEqual([
        '0 inserted, 2 changed, 0 unchanged, 0 faulty',
        [],
      ]);
      expect(await storedJob(publicId)).toMatchObject({ salary: first?.replaceAll('"', '') });
      expect(await storedJob('acme-night-guard')).toMatchObject({ salary: second?.replaceAll('"', '') });
    }
  });

  it('accepts the character U+FFFD in CSV, as in JSON Lines', async () => {
    const path = join(folder(), 'replaced.csv');
    const read = async (csv: string | Buffer) => {
      await writeFile(path, csv);
      return importFiles(['--kind', 'job', path]);
    };
    const csv = '\uFEFF"public_id","salary"\nacme-backend-engineer,"1 \uFFFD\u00a0€"\n\u00a0,\n';
    expect((await read(csv)).stdout).toMatch(/^0 inserted, 1 changed, 0 unchanged, 0 faulty$/m);
    expect(await storedJob('acme-backend-engineer')).toMatchObject({ salary: '1 \uFFFD\u00a0€' });
  });

  it('rejects a CSV line whose kind differs from --kind', async () => {
    const read = (csv: string) => importFiles(['--kind', 'job', '--on-fault', 'skip', '-'], csv);
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
    'says what the first CSV line must name, and reports no other line, if the CSV has %s',
    async (_, csv) => {
      const { code, stderr } = await importFiles(['--kind', 'job', '-'], csv);
      expect([code, faultsIn(stderr)]).toEqual([1, ['-:1: body: body-format-error']]);
      expect(stderr).toMatch(
        'The line must name the columns, each once and public_id among them, separated by commas, semicolons or tabs, and end in LF or CRLF.',
      );
    },
  );

  it.each([',', ';', '\t'])('separates CSV cells by %j if the first line does', async (between) => {
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
  });

  it('accepts booleans in any case in CSV, as spreadsheets and scripts write them', async () => {
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

  it('reports a wrong number of cells in a CSV line, and a line that is not JSON', async () => {
    const short = await importFiles(['--kind', 'job', '-'], 'public_id,,salary\na,"b\nc"\n');
    expect(short.stderr).toMatch(
      '-:2: body: body-format-error: The line must have 3 cells like the first line, not 2.',
    );
    const text = '{"kind": "job"}\n[]\n\n{"kind": "job", public_id: "a"}\n{"kind": "job",\r\n{"kind": "job"';
    const { stderr } = await importFiles(['-'], text);
    const told = stderr.match(/^-:\d+: body: .*$/gm)?.map((line) => line.replace(/: .* in UTF-8\./, ':'));
    expect(told).toEqual(['-:2:', '-:4:', '-:5:', '-:6:']);
  });

  it('reports an unnamed CSV column with a value by its number', async () => {
    const csv = 'public_id,,\nacme-backend-engineer,,\nacme-night-guard,,note\n';
    const { stdout } = await importFiles(['--kind', 'job', '-'], csv);
    expect(stdout).toMatch(/^unknown-field of column 3: 1 line, -:3$/m);
  });

  it.each(['latin1', 'utf16le'] as const)('rejects CSV in %s', async (encoding) => {
    const csv = join(folder(), 'other.csv');
    await writeFile(csv, '\uFEFFpublic_id,salary\nacme-backend-engineer,D\u00e9\n', encoding);
    const { code, stderr } = await importFiles(['--kind', 'job', '--on-fault', 'skip', csv]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(`${csv} cannot be read: .*utf-8`)]);
  });

  it.each([
    ['a quote that is not doubled', '"a"b'],
    ['a quote inside an unquoted cell', 'a"b"'],
    ['a quoted cell that does not end', '"a'],
  ])('stops reading CSV after %s (Contract 9.2.2)', async (_, name) => {
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
});
