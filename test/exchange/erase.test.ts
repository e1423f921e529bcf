import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Collection, MongoNetworkError } from 'mongodb';
import { revoke, undoRevocation } from '../../src/tokens/revocations.js';
import { collectionOf } from '../../src/database/collection-of.js';
import { databaseOf } from '../../src/database/connect.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { redactionOf } from '../../src/exchange/erase/redact.rules.js';
import { type HistoryEntry } from '../../src/history/history-entry.js';
import { VersionedRecords } from '../../src/history/versioned-records.js';
import { commandsOn } from '../support/commands.js';
import { openTestDatabase } from '../support/database.js';
import { leaveLease } from '../support/lease.js';
import { ownGateway } from '../support/own-gateway.js';

const address = 'claire.martin@acme.example';
const gateway = ownGateway();
beforeEach(() => gateway.reset());

const erase = (...argv: string[]) =>
  runEraseCommand(argv, { NODE_ENV: 'test', MONGODB_URI: gateway.settings.mongodbUri }, () => undefined);

async function dump(): Promise<string> {
  const { db } = gateway.models.media;
  const names = process.env.MONGODB_URI
    ? (await db.listCollections()).map(({ name }) => name).filter((name) => !name.startsWith('system.'))
    : [
        ...Object.values(gateway.models).map((model) => model.collection.name),
        'quotas',
        'tasks',
        'formats',
        'leases',
      ];
  const all = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
  return JSON.stringify(all).toLowerCase();
}

const updateJob = async (body: object) =>
  fetch(`${gateway.url}/jobs/acme-backend-engineer`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await gateway.token({ sub: address })}`,
      'content-type': 'application/json',
      'idempotency-key': JSON.stringify(body).length.toString(),
    },
    body: JSON.stringify({ media_public_id: 'demo-media', company_public_id: 'acme', ...body }),
  });

describe('npm run erase (Contract 9.2.7)', () => {
  it('removes the address from the whole database, and keeps the rest of records and history', async () => {
    const other = `x${address}`;
    const replies = [
      await updateJob({ manager_emails: [address.toUpperCase(), 'b@acme.example'], salary: 'first' }),
      await updateJob({ manager_emails: [address, other, 'c@acme.example'] }),
      await updateJob({
        description_job: `Write to ${address}.`,
        application_url: `https://x.example/?to=${address}`,
      }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await dump()).toContain(address);
    const before = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();

    const { stdout, stderr, exitCode } = await erase(address);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toMatch(/^jobs +\d+ changed$/m);
    expect((await dump()).replaceAll(other, '')).not.toContain(address);

    const job = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(job).toMatchObject({
      managerEmails: [other, 'c@acme.example'],
      description: { jobDesc: '<p>Write to [erased].</p>' },
      salary: 'first',
      version: 5,
    });
    const moved = await gateway.models.history.find().sort({ version: 1 }).lean<HistoryEntry[]>();
    const kept = [...moved, ...(job?.pendingHistory ?? [])];
    expect(kept.map(({ version }) => version)).toEqual([2, 3, 4, 5]);
    const salary = (entry?: HistoryEntry) => entry?.changes.find(({ field }) => field === 'salary');
    expect(salary(kept[0])).toEqual(salary(before?.pendingHistory[0]));

    expect((await erase(address)).stdout).toMatch(/^0 changed$/m);
  });

  it('leaves the address in no lease: of an import that was killed, or of the command itself (Contract 9.2.7)', async () => {
    await leaveLease(gateway.models, { command: 'import', actor: address, token: 'of-the-killed' });
    expect(await dump()).toContain(address);
    expect((await erase(address)).exitCode).toBe(0);
    expect(await dump()).not.toContain(address);
    expect((await erase('--actor', address, 'nobody@acme.example')).exitCode).toBe(0);
    expect(await dump()).not.toContain(address);
  });

  it('removes an address with HTML tags inside, and keeps the tags', async () => {
    const shown = 'zoé.öberg@acme.example';
    const reply = await updateJob({
      description_job: '<p><b>zoé</b>.öberg@acme.example, zo\u200bé.öberg@acme<i>.example</i></p>',
      salary: 'zoé.\u00adöberg@acme.example',
    });
    expect(reply.status).toBe(200);
    expect(await erase(shown)).toMatchObject({ stderr: '', exitCode: 0 });
    const job = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(job).toMatchObject({
      description: { jobDesc: '<p><b>[erased]</b>, [erased]<i></i></p>' },
      salary: '[erased]',
    });
    expect(await dump()).not.toMatch(/öberg/);
  });

  it('is not undone by a process that moves entries to the history meanwhile', async () => {
    await updateJob({ manager_emails: [address, 'd@acme.example'] });
    const { jobs, history } = gateway.models;
    const job = await jobs.findOne({ publicId: 'acme-backend-engineer' }).orFail();
    const moving = jest.spyOn(Collection.prototype, 'bulkWrite');
    moving.mockImplementationOnce(async function (this: Collection, ...entries) {
      expect((await erase(address)).exitCode).toBe(0);
      return this.bulkWrite(...entries);
    });
    await new VersionedRecords('job', jobs, collectionOf(history)).movePending(job);
    moving.mockRestore();
    expect(await history.countDocuments({ record: job._id })).toBe(1);
    expect(await dump()).not.toContain(address);
  });

  it('removes the address from entries moved to the history, and rejects an argument that is not an address', async () => {
    await updateJob({ manager_emails: [address, 'd@acme.example'] });
    const { jobs, history } = gateway.models;
    const job = await jobs.findOne({ publicId: 'acme-backend-engineer' }).orFail();
    await new VersionedRecords('job', jobs, collectionOf(history)).movePending(job);
    await erase(address);
    expect(await dump()).not.toContain(address);
    expect(await history.findOne({ record: job._id, version: 2 }).lean()).toMatchObject({
      actor: '[erased]',
    });
    expect(await erase('nobody')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/one e-mail address/),
      exitCode: 2,
    });
  });

  it('keeps a longer address that starts or ends with the erased one', () => {
    const { redact } = redactionOf('ann@x.example');
    expect(redact(['ann@x.example', 'joann@x.example', 'ann@x.example.com', 'ANN@X.example'])).toEqual([
      ...['[erased]', 'joann@x.example', 'ann@x.example.com', '[erased]'],
    ]);
    expect(redact('to:ann@x.example, <ann@x.example>.')).toBe('to:[erased], <[erased]>.');
    expect(redact('https://x.example/?to=%20ann@x.example')).toBe('https://x.example/?to=%20[erased]');
  });

  it('keeps a longer address that ends with the erased one, in lists, texts, links and stored replies', async () => {
    const description = (whose: string) =>
      `<p>Write to ${whose} or <a href="mailto:${whose}">r&d</a>, <a href="mailto:${encodeURIComponent(whose)}">here</a>.</p>`;
    const emails = [`o'brien@mail.example`, 'brien@mail.example', 'r&d@mail.example', 'd@mail.example'];
    await updateJob({ manager_emails: emails, description_job: description('r&d@mail.example') });
    await updateJob({ description_process: description(`o'brien@mail.example`) });
    const jobOf = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    const before = await jobOf();

    expect((await erase('brien@mail.example')).exitCode).toBe(0);
    expect((await erase('d@mail.example')).exitCode).toBe(0);
    expect(await jobOf()).toMatchObject({
      managerEmails: [`o'brien@mail.example`, 'r&d@mail.example'],
      description: before?.description,
    });
    expect(await dump()).not.toMatch(/[^'&;]brien@|"d@/);

    expect((await erase('r&d@mail.example')).exitCode).toBe(0);
    expect((await erase(`o'brien@mail.example`)).exitCode).toBe(0);
    const { managerEmails, description: after } = (await jobOf()) ?? {};
    const link = '<a href="mailto:[erased]" rel="nofollow noopener">';
    expect(managerEmails).toEqual([]);
    for (const text of [after?.jobDesc, after?.processDesc])
      expect(text).toBe(`<p>Write to [erased] or ${link}r&amp;d</a>, ${link}here</a>.</p>`);
    expect(await dump()).not.toMatch(/(d|brien)(@|%40)mail\.example/);
  });

  it('gives two companies named after addresses different names, and updates their name keys', async () => {
    const { companies } = gateway.models;
    const ids = ['acme', 'globex'] as const;
    const rename = async (publicId: string, name: string) =>
      companies.updateOne({ publicId }, { name, nameKey: name });
    const stored = async () => Promise.all(ids.map((publicId) => companies.findOne({ publicId }).lean()));
    const [acme, globex] = await stored();
    await rename('acme', 'a@b.example');
    await rename('globex', 'd@b.example');
    for (const one of ['a@b.example', 'd@b.example'])
      expect(await erase(one)).toMatchObject({ stderr: '', exitCode: 0 });
    const named = `[erased] ${globex?._id.toHexString()}`;
    expect(await stored()).toMatchObject([
      { _id: acme?._id, name: '[erased]', nameKey: '[erased]', version: 2 },
      { _id: globex?._id, name: named, nameKey: named, version: 2 },
    ]);
    expect((await stored())[1]?.pendingHistory.at(-1)?.changes).toEqual([
      { field: 'name', before: '[erased]', after: named },
    ]);

    // The name key has no accents, so it equals another address, whose erasure must not change the company.
    await rename('acme', 'a@c.example');
    await companies.updateOne({ publicId: 'acme' }, { name: 'á@c.example' });
    expect((await erase('a@c.example')).stdout).toMatch(/^0 changed$/m);
    await erase('á@c.example');
    expect((await stored())[0]).toMatchObject({ name: '[erased]', nameKey: '[erased]' });
  });

  it('keeps each text within the maximum of an import, even a name with an added id (Contract 9.2.4, 9.2.7)', async () => {
    const { companies, jobs } = gateway.models;
    const short = 'a@b.fr';
    const filled = (text: string, maximum: number) => `${'x'.repeat(maximum - text.length - 1)} ${text}`;
    const html = `<p>${filled(short, 20_000 - '<p></p>'.length)}</p>`;
    await jobs.updateOne(
      { publicId: 'acme-backend-engineer' },
      { salary: filled(short, 30), 'description.jobDesc': html, managerEmails: [short, 'c@d.fr'] },
    );
    for (const [publicId, name] of [
      ['acme', filled(address, 150)],
      ['globex', filled('[erased]', 150 - address.length + '[erased]'.length)],
    ] as const)
      await companies.updateOne({ publicId }, { name, nameKey: name });
    for (const one of [address, short]) expect(await erase(one)).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await jobs.findOne({ publicId: 'acme-backend-engineer' }).lean()).toMatchObject({
      salary: filled('[...]', 29),
      managerEmails: ['c@d.fr'],
    });
    const acme = await companies.findOne({ publicId: 'acme' }).lean();
    expect(acme?.name).toHaveLength(150);
    expect(acme?.name).toMatch(new RegExp(` ${acme?._id.toHexString()}$`));

    const { stdout: exported } = await commandsOn(gateway.settings.mongodbUri ?? '').exportAll();
    const target = await openTestDatabase();
    try {
      const { importFiles, exportAll } = commandsOn(target.uri);
      expect(await importFiles(['-'], exported)).toMatchObject({ code: 0 });
      expect((await exportAll()).stdout).toBe(exported);
    } finally {
      await target.close();
    }
  });

  it('continues after a document that it cannot change, names the document, and exits with 2 (Contract 9.2.7)', async () => {
    const { jobs, companies } = gateway.models;
    const rename = (publicId: string, name: string) =>
      companies.updateOne({ publicId }, { name, nameKey: name });
    const [initech] = await companies.find({ publicId: 'initech' }, { _id: 1 }).lean();
    // Both names that this company could get are taken.
    await rename('initech', address);
    await rename('globex', '[erased]');
    await rename('acme', `[erased] ${initech?._id.toHexString()}`);
    await companies.updateOne({ publicId: 'acme' }, { publicId: address, description: `To ${address}` });
    await jobs.updateOne({ publicId: 'acme-backend-engineer' }, { localisation: address });

    const { stdout, stderr, exitCode } = await erase(address);
    const acme = await companies.findOne({ publicId: address }).lean();
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^jobs +2 changed\ncompanies +1 changed\n3 changed$/m);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(stderr).toMatch(new RegExp(`^companies ${initech?._id.toHexString()}: .*E11000`, 'm'));
    expect(stderr).toContain(
      `companies ${acme?._id.toHexString()}: a public id contains the address, and public ids never change.`,
    );
    expect(stderr.toLowerCase()).not.toContain(address);
    expect(acme).toMatchObject({ description: 'To [erased]' });
    expect(await companies.findById(initech?._id).lean()).toMatchObject({ version: 1, name: address });
    expect(await jobs.findOne({ publicId: 'acme-backend-engineer' }).lean()).toMatchObject({
      localisation: '[erased]',
    });
  });

  it('exits with 2 if something keeps writing the address, or the database goes away (Contract 9.2.1, 9.2.7)', async () => {
    await gateway.models.jobs.updateOne({ publicId: 'acme-backend-engineer' }, { localisation: address });
    const writing = jest.spyOn(VersionedRecords.prototype, 'write').mockResolvedValue({});
    const { stderr, exitCode } = await erase(address);
    expect([stderr, exitCode]).toEqual([expect.stringMatching(/keeps writing the address/), 2]);
    writing.mockRejectedValue(new MongoNetworkError('gone'));
    expect(await erase(address)).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^does not answer: gone: .* fix MONGODB_URI$/),
      exitCode: 2,
    });
    writing.mockRestore();
  });

  it.each(['', ' ', 'system', ' System ', 'sys\u200btem'])(
    'rejects the actor %j, as an import does (Contract 3.1.2, 6.1.4)',
    async (actor) => {
      const refused = {
        stdout: '',
        stderr: expect.stringMatching(/^--actor must be a name other than system/),
        exitCode: 2,
      };
      expect(await erase('--actor', actor, address)).toEqual(refused);
      const imported = await commandsOn(gateway.settings.mongodbUri ?? '').importFiles([
        '--actor',
        actor,
        '-',
      ]);
      expect(imported).toMatchObject({ code: 2, stderr: refused.stderr });
    },
  );

  // The last: the gateway may learn of the revocation, and forget it later.
  it('keeps a revocation of the address, and names it (Contract 9.2.7)', async () => {
    const db = databaseOf(gateway.gateway.database.tasks);
    const target = { kind: 'block', value: address, issuer: null } as const;
    await revoke(db, target, { at: new Date(), until: null });
    const { stderr, exitCode } = await erase(address);
    expect([stderr, exitCode]).toEqual([expect.stringMatching(/^revocations .*let in again/), 2]);
    expect(await undoRevocation(db, target)).toBe(true);
    expect(await erase(address)).toMatchObject({ stderr: '', exitCode: 0 });
  });
});
