import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { chmod, chown, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { type CreateIndexesOptions } from 'mongodb';
import { mongo } from 'mongoose';
import { buildQuotaIndexes, quotaCollection } from '../../src/quotas/quota-indexes.js';
import { TaskStore } from '../../src/archiver/task-store.js';
import { assertWhole } from '../../src/database/embedded/storage/data-file.js';
import { openDisk } from '../../src/database/embedded/storage/disk.js';
import { recordFormat } from '../../src/database/record-format.js';
import { prepareDatabase } from '../../src/models.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type Diagnosis, runDoctor } from '../../src/doctor/doctor.js';
import { durabilityFinding } from '../../src/doctor/check-database.js';
import { startFaults } from '../../src/doctor/start-fault.js';
import { ConnectError, databaseOf } from '../../src/database/connect.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownDatabase } from '../support/own-database.js';
import { root } from '../support/process.js';
import { providersFile, startProvider, stopProviders, type TestProvider } from '../support/provider.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { jobLifetimeMs } from '../support/reset-records.js';
import { ownFolders } from '../support/own-folder.js';

const { database, models } = ownDatabase();
const newFolder = ownFolders();
let folder: string;
let keyFile: string;
let provider: TestProvider;
let published: { keys: unknown } = { keys: [] };
let jwksUrl: string;

beforeAll(async () => {
  provider = await startProvider('https://provider.example');
  provider.listener = (_request, response) => void response.end(JSON.stringify(published));
  jwksUrl = String(provider.entry.jwksUrl);
});
afterAll(() => stopProviders(provider));
beforeEach(async () => {
  folder = newFolder();
  keyFile = join(folder, 'keys.json');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  await writeFile(keyFile, JSON.stringify({ keys: [await exportJWK(privateKey)] }), { mode: 0o600 });
  for (const { collection } of Object.values(models)) await collection.deleteMany({});
  await prepareDatabase(models);
  await seedDemoData(models, new Date(), jobLifetimeMs);
  published = { keys: [] };
});

const examine = (
  environment: Record<string, string | undefined> = {},
  options: Parameters<typeof runDoctor>[1] = {},
): Promise<Diagnosis> =>
  runDoctor(
    {
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: folder,
      MONGODB_URI: database.uri,
      JWT_KEY_FILE: keyFile,
      ...environment,
    },
    options,
  );

/** Expects a line that matches and says how to fix the fault. */
function expectLine({ lines, exitCode }: Diagnosis, expected: RegExp, code: 0 | 1): void {
  expect(lines).toContainEqual(expect.stringMatching(expected));
  expect(lines.find((line) => expected.test(line))).toMatch(/ {2}— \S/);
  expect(exitCode).toBe(code);
}

describe('doctor (Contract 11.8)', () => {
  it('finds no fault in a valid installation', async () => {
    const { lines, exitCode } = await examine();
    expect(exitCode).toBe(0);
    for (const line of lines) expect(line).toMatch(/^ok {4}(\w+) +\S/);
    expect(lines.map((line) => line.split(/\s+/)[1])).toEqual(
      expect.arrayContaining([...['settings', 'node', 'port', 'url', 'keys', 'database', 'indexes', 'data']]),
    );
  });

  it('reports every fault of the settings, and prints no secret', async () => {
    const diagnosis = await examine({
      PORT: 'x',
      JOB_LIFETIME: '90',
      MONGODB_URI: 'http://admin:hunter2@db',
    });
    expectLine(diagnosis, /^fail {2}settings {2}PORT: expected/, 1);
    expectLine(diagnosis, /^fail {2}settings {2}JOB_LIFETIME: expected/, 1);
    expectLine(diagnosis, /^fail {2}settings {2}MONGODB_URI: expected/, 1);
    expect(diagnosis.lines.join()).not.toContain('hunter2');
  });

  it('checks trusted documents against the schema, and rejects their introspection if introspection is off', async () => {
    const file = join(folder, 'trusted.json');
    await writeTrusted(file, ['{ viewer { subject } }', '{ __schema { queryType { name } } }']);
    const { lines, exitCode } = await examine({ TRUSTED_DOCUMENTS: file });
    expect([exitCode, lines]).toEqual([
      0,
      expect.arrayContaining([`ok    trusted   2 documents of ${file} fit the schema`]),
    ]);
    const ofClient = await examine({
      TRUSTED_DOCUMENTS: join(root, 'schema/client/src/documents/persisted-documents.json'),
    });
    expect([ofClient.exitCode, ofClient.lines.join()]).toEqual([
      0,
      expect.stringMatching(/ok {4}trusted {3}\d+ documents/),
    ]);
    await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`);
    expect((await examine({ TRUSTED_DOCUMENTS: file })).exitCode).toBe(0);
    const closed = await examine({ TRUSTED_DOCUMENTS: file, INTROSPECTION: 'off' });
    expectLine(closed, /^fail {2}trusted .* is refused at 1:3: Introspection is off/, 1);
  });

  it('reports the faults of trusted documents, and prints no control characters', async () => {
    const texts = (...documents: string[]) =>
      JSON.stringify(Object.fromEntries(documents.map((text) => [sha256(text), text])));
    const clearing =
      '{ viewer { subject(of: """\u001B[2J\u009B1m""") } references(kind: """\u001B[2J""") { id } } \u001B';
    const file = join(folder, 'trusted.json');
    for (const [text, ...faults] of [
      [texts('subscription { viewer { subject } }'), 'The schema has no subscriptions'],
      [
        JSON.stringify({ abc: '{ viewer { subject } }', def: 1 }),
        ...['abc has a key that is not the SHA-256 of its text', 'def is not text'],
      ],
      [texts(`{ ${'a '.repeat(20_000)} }`), '20000 tokens'],
      [JSON.stringify({ '\u001B[2J': '', [sha256(clearing)]: clearing }), '\uFFFD[2J has a key'],
      [texts(clearing.slice(0, -1)), 'value: """\uFFFD[2J'],
      ['[]', 'is not a JSON object'],
      ['{\n  "abc": "{ viewer",\n  def\n}', 'is not valid JSON at line 3, character 3.'],
    ] as const) {
      await writeFile(file, text);
      const { lines, exitCode } = await examine({ TRUSTED_DOCUMENTS: file });
      expect(exitCode).toBe(1);
      const told = lines.filter((line) => line.startsWith('fail  trusted  '));
      for (const fault of faults) expect(told.join('\n')).toContain(fault);
      expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    }
    expectLine(await examine({ TRUSTED_DOCUMENTS: `${file}.none` }), /^fail {2}trusted .*ENOENT/, 1);
  });

  it('refuses a Node.js that is too old', async () => {
    expectLine(await examine({}, { nodeVersion: '20.18.3' }), /^fail {2}node .*20\.18\.3 is too old/, 1);
    expect((await examine({}, { nodeVersion: '22.0.0' })).exitCode).toBe(0);
  });
});

describe('doctor on the network (Contract 11.8): reports', () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ['', (socket) => socket.destroy()],
    [' that never answers', (socket) => socket.resume()],
  ])('a port in use by another program%s', async (_which, answer) => {
    const other = createServer(answer);
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expectLine(await examine({ PORT: String(port) }), /^fail {2}port .*in use by another program/, 1);
    await new Promise((resolve) => other.close(resolve));
  });

  it('a host that is not an address of this machine', async () => {
    expectLine(await examine({ HOST: '192.0.2.1' }), /^fail {2}port .*not an address of this machine/, 1);
    expectLine(
      await examine({ HOST: '[::1]' }),
      /^fail {2}port .*\[::1\] is not an address of this machine {2}— fix HOST: IPv6 without brackets/,
      1,
    );
  });

  it.each([
    [{ HOST: '0.0.0.0' }, /PUBLIC_URL is not set/],
    [{ NODE_ENV: 'production' }, /PUBLIC_URL is not set/],
    [{ PUBLIC_URL: 'http://0.0.0.0:4000' }, /http:\/\/0\.0\.0\.0:4000 is not an address to call/],
    [{ NODE_ENV: 'production', PUBLIC_URL: 'https://[::]' }, /is not an address to call/],
    [{ NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:4000' }, /is the caller’s own machine/],
    [{ NODE_ENV: 'production', PUBLIC_URL: 'http://api.example' }, /sends tokens unencrypted/],
    [{ PUBLIC_URL: 'https://api.example' }, /TRUSTED_PROXIES is empty/],
  ])('URLs that lead nowhere or are unsafe: %p', async (environment, expected) => {
    expectLine(await examine(environment), new RegExp(`^warn {2}url .*${expected.source}`), 0);
  });
});

describe('doctor on keys (Contract 11.8): reports', () => {
  it('a key file that is missing, is not a key set, or has a weak key', async () => {
    expectLine(await examine({ JWT_KEY_FILE: join(folder, 'none') }), /^fail {2}keys .*ENOENT/, 1);
    await writeFile(keyFile, 'nonsense');
    expectLine(await examine(), /^fail {2}keys .*not JSON/, 1);
    await writeFile(keyFile, JSON.stringify({ keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }));
    const diagnosis = await examine();
    expectLine(diagnosis, /^fail {2}keys .*key 1 is not RSA of at least 2048 bits/, 1);
    expect(diagnosis.lines.join()).not.toContain('c2VjcmV0');
  });

  it('a key file that others can read', async () => {
    await chmod(keyFile, 0o644);
    const diagnosis = await examine();
    expectLine(diagnosis, /^warn {2}keys .*can be read by others {2}— chmod 600/, 0);
  });

  (process.getuid?.() === 0 ? it : it.skip).each([
    ['644', /^ok {4}keys .* signs/],
    ['440', /^ok {4}keys .* signs/],
    ['664', /^warn {2}keys .*can be changed by others {2}— chmod go-w/],
  ])('a key file of another user only if others may change it: mode %s', async (mode, expected) => {
    await chown(keyFile, 65_532, 65_532);
    await chmod(keyFile, Number.parseInt(mode, 8));
    const { lines } = await examine();
    expect(lines).toContainEqual(expect.stringMatching(expected));
  });

  it('a key set that cannot be fetched, is empty, or has weak keys', async () => {
    const environment = { JWT_KEY_FILE: undefined, JWT_JWKS_URL: jwksUrl };
    const away = { ...environment, JWT_JWKS_URL: 'http://127.0.0.1:9/jwks' };
    expectLine(await examine(away), /^warn {2}keys .*cannot be fetched.*503/, 0);
    expectLine(await examine(environment), /^warn {2}keys .*but none that can be used/, 0);
    const { publicKey } = await generateKeyPair('ES256');
    published = { keys: [await exportJWK(publicKey), { kty: 'oct', k: 'c2VjcmV0' }] };
    expectLine(await examine(environment), /^warn {2}keys .*1 of the 2 keys/, 0);
    published = { keys: [await exportJWK(publicKey), null] };
    expectLine(await examine(environment), /^warn {2}keys .*1 of the 2 keys/, 0);
    published = { keys: [await exportJWK(publicKey)] };
    expect((await examine(environment)).lines).toContainEqual(
      expect.stringMatching(/^ok {4}keys .*1 usable/),
    );
  });

  it('each provider of JWT_PROVIDERS, or every fault of the file', async () => {
    const { publicKey } = await generateKeyPair('ES256');
    published = { keys: [await exportJWK(publicKey)] };
    const encryption = await generateKeyPair('RSA-OAEP');
    const common = { audience: 'gateway', media: '*' };
    const path = await providersFile([
      { ...common, issuer: 'https://a.example', jwksUrl },
      { ...common, issuer: 'https://b.example', prefix: 'b', jwksUrl: 'http://127.0.0.1:9/jwks' },
      { ...common, issuer: 'https://c.example', prefix: 'c', keys: published },
    ]);
    // As Keycloak does.
    const forEncryption = { ...(await exportJWK(encryption.publicKey)), use: 'enc' };
    published = { keys: [forEncryption, ...(published.keys as object[])] };
    const diagnosis = await examine({ JWT_KEY_FILE: undefined, JWT_PROVIDERS: path });
    const ok = (text: RegExp) => expect(diagnosis.lines).toContainEqual(expect.stringMatching(text));
    ok(/^ok {4}keys .*the provider https:\/\/a\.example answers with 1 usable keys/);
    expectLine(diagnosis, /^warn {2}keys .*https:\/\/b\.example: .*cannot be fetched.*503/, 0);
    ok(/^ok {4}keys .*https:\/\/c\.example has 1 keys/);
    const both = await examine({ JWT_PROVIDERS: path });
    expectLine(both, /^warn {2}keys .*JWT_KEY_FILE have no effect beside JWT_PROVIDERS/, 0);
    const faulty = await providersFile([{ ...common, jwksUrl, prefix: 'A' }]);
    const faults = await examine({ JWT_KEY_FILE: undefined, JWT_PROVIDERS: faulty });
    expectLine(faults, /^fail {2}keys .*issuer is missing/, 1);
    expectLine(faults, /^fail {2}keys .*prefix must match/, 1);
  });
});

describe('doctor on the database (Contract 11.8): reports', () => {
  // Each waits for 5 s, so all wait together.
  it('that the database does not answer, in the words of the handbook, is in another replica set, or that a file in MONGODB_URI is unusable', async () => {
    const replicaSet = new URL(database.uri);
    replicaSet.searchParams.delete('directConnection');
    replicaSet.searchParams.set('replicaSet', 'nobody');
    const withFile = (option: string) => `mongodb://127.0.0.1:9/gateway?tls=true&${option}`;
    const [away, elsewhere, absentFile, wrongFile] = await Promise.all([
      examine({ MONGODB_URI: 'mongodb://admin:hunter2@127.0.0.1:9/gateway' }),
      examine({ MONGODB_URI: replicaSet.href }),
      examine({ MONGODB_URI: withFile(`tlsCAFile=${join(folder, 'none')}`) }),
      examine({ MONGODB_URI: withFile(`tlsCertificateKeyFile=${keyFile}`) }),
    ]);
    expectLine(away, /^fail {2}database {2}does not answer: connect ECONNREFUSED/, 1);
    expect(away.lines.join()).not.toContain('hunter2');
    const shown = (await readFile(join(root, 'deploy/README.md'), 'utf8'))
      .split('\n')
      .filter((text) => /^fail /.test(text));
    const line = away.lines.find((text) => text.startsWith('fail')) ?? '';
    expect(shown).toEqual([line.replace(':9 ', ':27017 ')]);
    expectLine(elsewhere, /^fail {2}database {2}answers, but is not in the replica set/, 1);
    expectLine(
      absentFile,
      /^fail {2}database {2}MONGODB_URI names a file: .*ENOENT.* — let this user read/,
      1,
    );
    expectLine(wrongFile, /^fail {2}database {2}TLS fails: .* — fix tlsCAFile/, 1);
  });

  it.each([
    [
      'the version',
      mongo.Db.prototype,
      'command',
      /^warn {2}database {2}could not be checked: not authorized/,
      0,
    ],
    [
      'the right to write',
      mongo.Collection.prototype,
      'updateOne',
      /^fail {2}database {2}cannot be written: not auth/,
      1,
    ],
    [
      'the record format',
      mongo.Collection.prototype,
      'findOne',
      /^warn {2}database {2}could not be checked: not/,
      0,
    ],
    [
      'the indexes',
      mongo.Collection.prototype,
      'indexes',
      /^warn {2}indexes {3}could not be checked: not auth/,
      0,
    ],
  ] as const)(
    'that the database user may not check %s, and makes the other checks',
    async (_what, whose, command, expected, code) => {
      const refusal = new mongo.MongoServerError({ message: 'not authorized', code: 13 });
      const asking = jest.spyOn(
        whose as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>,
        command,
      );
      asking.mockRejectedValueOnce(refusal);
      const diagnosis = await examine();
      asking.mockRestore();
      expectLine(diagnosis, expected, code);
      expect(diagnosis.lines).toContainEqual(expect.stringMatching(/^ok {4}data/));
    },
  );

  it('that the database rejects the user, but not because the host name contains “auth”', async () => {
    const settings = parseSettings({ MONGODB_URI: 'mongodb://auth.example' });
    const toldOf = (cause: Error) => startFaults(new ConnectError('', { cause }), settings)[0]?.what;
    const refusal = new mongo.MongoServerError({ message: 'Sign-in failed.', code: 18 });
    expect(toldOf(refusal)).toBe('rejects the user: Sign-in failed.');
    expect(toldOf(new Error('getaddrinfo ENOTFOUND auth.example'))).toMatch(/^does not answer/);
  });

  it('that a command has not finished if the driver times out', async () => {
    const settings = parseSettings({ MONGODB_URI: 'mongodb://db.example' });
    const [given] = startFaults(new mongo.MongoNetworkTimeoutError('connection 1 timed out'), settings);
    expect(given?.what).toBe('has not finished a command: connection 1 timed out');
    expect(given?.fix).toBe(
      'check that the database answers, then start again; an index build continues meanwhile',
    );
  });

  it('that the built-in store is too slow if it times out, and does not blame DATA_DIR', async () => {
    const settings = parseSettings({ DATA_DIR: '/folder' });
    const timedOut = new mongo.MongoNetworkTimeoutError('connection 1 timed out');
    for (const error of [timedOut, new ConnectError('', { cause: timedOut })])
      expect(startFaults(error, settings)).toMatchObject([
        {
          what: 'the built-in store in /folder is too slow: connection 1 timed out',
          fix: 'start again when the disk and the processor are less busy, or raise DATABASE_TIMEOUT',
        },
      ]);
  });

  it('that the built-in store was not read in time, and does not suggest DATABASE_TIMEOUT, which does not limit reading', async () => {
    await (await openDisk(folder)).close();
    const cause = await assertWhole(folder, 1).catch((error: unknown) => error);
    expect(startFaults(new ConnectError('', { cause }), parseSettings({ DATA_DIR: folder }))).toMatchObject([
      {
        what: `the built-in store in ${folder} is too slow: it was not read within 0.001 s`,
        fix: 'start again when the disk and the processor are less busy',
      },
    ]);
  });

  it('a missing index', async () => {
    await models.companies.collection.dropIndex('nameKey_1');
    expectLine(await examine(), /^warn {2}indexes {3}companies lacks the index nameKey_1/, 0);
    await models.companies.collection.dropIndexes();
    expectLine(await examine(), /^warn {2}indexes {3}companies lacks \d+ indexes, such as publicId_1/, 0);
    await prepareDatabase(models);
  });

  it('a missing index that cannot be built', async () => {
    await models.media.collection.dropIndex('publicId_1');
    await models.media.collection.insertOne({ publicId: 'demo-media' });
    expectLine(await examine(), /^fail {2}indexes {3}media\.publicId_1 .*records share its key/, 1);
    await models.media.collection.deleteMany({});
    await prepareDatabase(models);
  });

  it('a missing index of the quotas, which a start builds even if buckets share a key', async () => {
    const buckets = database.connection.collection(quotaCollection);
    await buckets.insertMany([{ key: 'twice' }, { key: 'twice' }]);
    expectLine(await examine(), /^warn {2}indexes {3}quotas lacks 2 indexes, such as key_1/, 0);
    await buildQuotaIndexes(databaseOf(database.connection));
  });

  it('an index whose definition differs, with the command that drops the index', async () => {
    await models.history.collection.dropIndexes();
    await models.history.collection.createIndex({ record: 1, version: -1 });
    const diagnosis = await examine();
    expectLine(diagnosis, /^fail {2}indexes .*db\.history\.dropIndex\("record_1_version_-1"\)/, 1);
    await expect(prepareDatabase(models)).rejects.toThrow();
    await models.history.collection.dropIndexes();
  });

  it.each([
    ['a task index whose key differs', 'tasks', { name: 1 }, { name: 'findAndLockNextJobIndex' }],
    ['a log index whose name differs', 'agenda_logs', { timestamp: -1 }, {}],
  ])('%s, unless ARCHIVER is off', async (_what, name, key, options) => {
    const collection = database.connection.collection(name);
    const open = () =>
      new TaskStore(database.connection.getClient().db(database.connection.name), () => {}).open();
    await open();
    expect((await examine()).exitCode).toBe(0);
    await collection.dropIndexes();
    const made = await collection.createIndex(key, options);
    const expected = new RegExp(`^fail {2}indexes .*db\\.${name}\\.dropIndex\\("${made}"\\)`);
    expectLine(await examine(), expected, 1);
    await expect(open()).rejects.toThrow();
    expect((await examine({ ARCHIVER: 'off' })).exitCode).toBe(0);
    await collection.dropIndexes();
    await open();
  });

  it.each<[string, CreateIndexesOptions]>([
    ['a hidden index', { hidden: true }],
    ['an index with a collation', { collation: { locale: 'fr' } }],
  ])('%s, if the database can create one', async (_what, options) => {
    const { collection } = models.media;
    await collection.dropIndex('publicId_1');
    const wanted = { name: 'publicId_1', unique: true };
    const isMade = await collection.createIndex({ publicId: 1 }, { ...wanted, ...options }).then(
      () => true,
      () => false,
    );
    if (isMade) {
      expectLine(await examine(), /^fail {2}indexes .*db\.media\.dropIndex\("publicId_1"\)/, 1);
      await expect(prepareDatabase(models)).rejects.toThrow();
      await collection.dropIndex('publicId_1');
    }
    await prepareDatabase(models);
  });

  it("no fault if an operator's own index has the key of a gateway's index", async () => {
    const { collection } = models.media;
    await collection.createIndex({ publicId: 1 }, { name: 'own' });
    expect((await examine()).exitCode).toBe(0);
    await prepareDatabase(models);
    await collection.dropIndex('own');
  });

  it('demo data in production, and a database without media', async () => {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example' };
    expectLine(await examine(production), /^warn {2}data .*demo data is in production: demo-media/, 0);
    await models.media.collection.deleteMany({});
    expectLine(await examine(), /^warn {2}data .*holds no media/, 0);
  });

  it('a variable whose name looks like a misspelt setting (Contract 11.3.1)', async () => {
    expectLine(await examine({ READ_QOUTA: '9/1s' }), /^warn {2}settings {2}READ_QOUTA .*READ_QUOTA/, 0);
  });

  it('records that a newer version wrote (Contract 11.11)', async () => {
    const formats = database.connection.collection<{ _id: string; version: number }>('formats');
    await formats.updateOne({ _id: 'records' }, { $set: { version: recordFormat + 1 } });
    expectLine(
      await examine(),
      /^fail {2}database {2}.*format 3, but this version reads at most format 2/,
      1,
    );
    await formats.updateOne({ _id: 'records' }, { $set: { version: recordFormat } });
  });

  it('what the first start will convert, and about how long that takes (Contract 11.11.3)', async () => {
    const formats = database.connection.collection<{ _id: string; version: number }>('formats');
    await formats.updateOne({ _id: 'records' }, { $set: { version: recordFormat - 1 } });
    const planned = /^warn {2}database {2}the next start converts .*\d+ of the kind job.* in about 1 min/;
    expectLine(await examine(), planned, 0);
    expect(await formats.findOne()).toEqual({ _id: 'records', version: recordFormat - 1 });
    await formats.updateOne({ _id: 'records' }, { $set: { version: recordFormat } });
  });

  it('that a start makes an absent DATA_DIR, and creates no file or folder', async () => {
    const { lines, exitCode } = await examine({ MONGODB_URI: undefined, JWT_KEY_FILE: undefined });
    expect(lines).toContainEqual(expect.stringMatching(/^ok {4}database .*made on the first start/));
    expect(lines).toContainEqual(expect.stringMatching(/^ok {4}keys .*made on the first start/));
    expect(exitCode).toBe(0);
    expect(await readdir(folder)).toEqual(['keys.json']);
  });

  (existsSync('/proc/self') ? it : it.skip)(
    'a DATA_DIR where nobody can make folders, such as /proc',
    async () => {
      const given = { MONGODB_URI: undefined, JWT_KEY_FILE: undefined, DATA_DIR: '/proc/x' };
      const line =
        'DATA_DIR /proc/x cannot be written  — let this user write in /proc, or choose another DATA_DIR';
      const { lines, exitCode } = await examine(given);
      expect(lines).toEqual(expect.arrayContaining([`fail  keys      ${line}`, `fail  database  ${line}`]));
      expect(exitCode).toBe(1);
    },
  );

  it('a DATA_DIR whose name is too long', async () => {
    const dataDir = join(folder, 'x'.repeat(300));
    const { lines, exitCode } = await examine({ MONGODB_URI: undefined, DATA_DIR: dataDir });
    expect(lines).toContain(
      `fail  database  DATA_DIR ${dataDir} cannot be made  — its name is too long: choose another DATA_DIR`,
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    ['inside a file', 'keys.json/data', 'keys.json'],
    ['that is a broken link', 'link', 'link'],
    ['behind a broken link', 'link/data', 'link'],
  ])('a DATA_DIR %s', async (_what, path, inTheWay) => {
    await symlink(join(folder, 'nowhere'), join(folder, 'link'));
    const dataDir = join(folder, path);
    const own = await examine({ MONGODB_URI: undefined, JWT_KEY_FILE: undefined, DATA_DIR: dataDir });
    const line = `DATA_DIR ${dataDir} cannot be written  — ${join(folder, inTheWay)} is not a folder: choose another DATA_DIR`;
    expect(own.lines.filter((text) => text.startsWith('fail'))).toEqual([
      `fail  keys      ${line}`,
      `fail  database  ${line}`,
    ]);
    expect(own.exitCode).toBe(1);
    const keysAlone = await examine({ JWT_KEY_FILE: undefined, DATA_DIR: dataDir });
    expect(keysAlone.lines.filter((text) => !text.startsWith('ok'))).toEqual([`fail  keys      ${line}`]);
    expect(keysAlone.exitCode).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['keys.json', 'link']);
  });

  it('a development key that is a link to a missing file', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'development-key.json'));
    expectLine(await examine({ JWT_KEY_FILE: undefined }), /^fail {2}keys .*ENOENT.* remove it/, 1);
  });
});

describe('doctor on the write concern of the database (Contract 11.8): reports', () => {
  const withoutAcknowledgement = () => {
    const uri = new URL(database.uri);
    uri.searchParams.delete('journal');
    uri.searchParams.set('w', '0');
    return uri.href;
  };

  it.each(['', '/', '/?journal=true', '?journal=true'])(
    'a MONGODB_URI that names no database: %j (Contract 11.3.3)',
    async (end) => {
      const { host } = new URL(database.uri);
      const diagnosis = await examine({ MONGODB_URI: `mongodb://${host}${end}` });
      expectLine(diagnosis, /^warn {2}database {2}MONGODB_URI names no database.* database test {2}— /, 0);
    },
  );

  it('w=0, which hides lost writes', async () => {
    expectLine(await examine({ MONGODB_URI: withoutAcknowledgement() }), /^fail {2}database .*w=0/, 1);
  });

  const primary = { setName: 'rs0' };
  const mongos = { msg: 'isdbgrid' };
  const standalone = {};
  it.each([
    ['w=1 on a replica set', { w: 1 as const }, primary, 'warn'],
    ['w=1 on a sharded cluster', { w: 1 as const }, mongos, 'warn'],
    ['w=majority on a replica set as safe', { w: 'majority' as const }, primary, 'ok'],
    ['the default of a replica set as safe', {}, primary, 'ok'],
    ['a standalone server, which acknowledges a write before the journal has it', {}, standalone, 'warn'],
    ['a standalone server, even with w=majority', { w: 'majority' as const }, standalone, 'warn'],
    ['a standalone server with journal=true as safe', { journal: true }, standalone, 'ok'],
  ])('%s', (_, writeConcern, hello, level) => {
    expect(durabilityFinding(writeConcern, hello, { version: '8.0.0' }).level).toBe(level);
  });
});
