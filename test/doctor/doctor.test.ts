import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmod, chown, readdir, readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { mongo } from 'mongoose';
import { prepareDatabase } from '../../src/models.js';
import { seedDemoData } from '../../src/demo/seed.js';
import { type Diagnosis, runDoctor } from '../../src/doctor/doctor.js';
import { durabilityFinding } from '../../src/doctor/check-database.js';
import { startFaults } from '../../src/doctor/start-fault.js';
import { ConnectError } from '../../src/database/connect.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownDatabase } from '../support/own-database.js';
import { root } from '../support/process.js';
import { providersFile, startProvider, stopProviders, type TestProvider } from '../support/provider.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { jobLifetimeMs } from '../support/reset-records.js';
import { ownFolders } from '../support/own-folder.js';
import { refusesTwins } from '../support/unique-indexes.js';

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

describe('doctor (Contract 9.2.1)', () => {
  it('finds no fault in a valid installation', async () => {
    const { lines, exitCode } = await examine();
    expect(exitCode).toBe(0);
    for (const line of lines) expect(line).toMatch(/^ok {4}(\w+) +\S/);
    expect(lines.map((line) => line.split(/\s+/)[1])).toEqual(
      expect.arrayContaining(['settings', 'node', 'url', 'keys', 'database', 'data']),
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
      ['{\n  "abc": "{ viewer",\n  def\n}', 'is not valid JSON: '],
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

describe('doctor on PUBLIC_URL (Contract 9.2.1): reports', () => {
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

describe('doctor on keys (Contract 9.2.1): reports', () => {
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

describe('doctor on the database (Contract 9.2.1): reports', () => {
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

  it('that the database user cannot read', async () => {
    const refusal = new mongo.MongoServerError({ message: 'not authorized', code: 13 });
    const finding = jest.spyOn(mongo.Collection.prototype, 'findOne').mockRejectedValueOnce(refusal);
    expectLine(await examine(), /^fail {2}database {2}cannot be written: not auth/, 1);
    finding.mockRestore();
  });

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

  it('why an index cannot be built, as the start does', async () => {
    const faultOf = async (make: () => Promise<unknown>) => {
      const { collection } = models.media;
      await collection.dropIndexes();
      await make();
      const fault: unknown = await prepareDatabase(models).catch((error: unknown) => error);
      await collection.dropIndexes();
      await collection.deleteMany({});
      const [line] = startFaults(fault, parseSettings({ NODE_ENV: 'test' }));
      return `${line?.subject}: ${line?.what} - ${line?.fix}`;
    };
    const { collection } = models.media;
    if (!(await refusesTwins(database.connection))) return;
    expect(await faultOf(() => collection.insertOne({ publicId: 'demo-media' }))).toMatch(
      /^indexes: .*publicId.* - keep only one of the records/,
    );
    expect(await faultOf(() => collection.createIndex({ publicId: 1 }))).toMatch(
      /^indexes: media: .*publicId_1.* - drop the existing index/,
    );
  });

  it('more than demo data where NODE_ENV is not production, or tokens are verified with the development key', async () => {
    const open = { JWT_KEY_FILE: undefined };
    expect((await examine(open)).lines.join('\n')).not.toMatch(/^warn/m);
    await models.media.collection.insertOne({ publicId: 'own-media', name: 'Own', jobUrlTemplate: null });
    expectLine(await examine(), /^warn {2}data .*more than demo data, but NODE_ENV is test/, 0);
    expect((await examine()).lines.join('\n')).not.toMatch(/^warn {2}keys/m);
    expectLine(await examine(open), /^warn {2}keys .*more than demo data, .* the development key/, 0);
    const production = await examine({ NODE_ENV: 'production', PUBLIC_URL: 'https://api.example' });
    expect(production.lines.join('\n')).not.toMatch(/more than demo data/);
  });

  it('a clock more than 5 s off the database’s', async () => {
    const off = (ms: number) => examine({}, { now: () => new Date(Date.now() + ms) });
    expectLine(await off(300_000), /^warn {2}clock .* (299|300|301) s ahead of the database’s/, 0);
    expectLine(await off(-300_000), /^warn {2}clock .* (299|300|301) s behind the database’s/, 0);
    expect((await examine()).lines).toContainEqual(expect.stringMatching(/^ok {4}clock /));
  });

  it('demo data in production, and a database without media', async () => {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example' };
    expectLine(await examine(production), /^warn {2}data .*demo data is in production: demo-media/, 0);
    await models.media.collection.deleteMany({});
    expectLine(await examine(), /^warn {2}data .*holds no media/, 0);
  });

  it.each([
    [1, /^fail {2}database .*before 2\.0\.0 {2}— start 2\.0\.0 once/, 1],
    [2, /^warn {2}database .*takes over the records of 2\.0\.0.* — take a back-up/, 0],
    [4, /^fail {2}database .*format 4, but this version reads at most format 3/, 1],
  ] as const)('records of the format %i of another version (Contract 9.3.4)', async (version, line, code) => {
    const formats = database.connection.collection<{ _id: string; version: number }>('formats');
    await formats.updateOne({ _id: 'records' }, { $set: { version } });
    expectLine(await examine(), line, code);
    await formats.updateOne({ _id: 'records' }, { $set: { version: 3 } });
  });

  it('that a start makes an absent DATA_DIR, and creates no file or folder', async () => {
    const { lines, exitCode } = await examine({ MONGODB_URI: undefined, JWT_KEY_FILE: undefined });
    expect(lines).toContainEqual(expect.stringMatching(/^ok {4}database .*made on the first start/));
    expect(lines).toContainEqual(expect.stringMatching(/^ok {4}keys .*made on the first start/));
    expect(exitCode).toBe(0);
    expect(await readdir(folder)).toEqual(['keys.json']);
  });
});

describe('doctor on traces (Contract 9.2.1): reports', () => {
  it('that nobody listens at the endpoint, without its password', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const endpoint = `http://jo:hunter2@127.0.0.1:${port}/v1/traces`;
    const listened = await examine({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint });
    expect(listened.lines).toContainEqual(expect.stringMatching(/^ok {4}traces /));
    await new Promise((closed) => listener.close(closed));
    for (const variable of ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
      const diagnosis = await examine({ [variable]: endpoint });
      expectLine(diagnosis, new RegExp(`^warn {2}traces .*127.0.0.1 at port ${port}: .*ECONNREFUSED`), 0);
      expect(diagnosis.lines.join()).not.toContain('hunter2');
    }
    const off = await examine({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' });
    expect(off.lines.join('\n')).not.toMatch(/ traces /);
  });
});

describe('doctor on the write concern of the database (Contract 9.2.1): reports', () => {
  const withoutAcknowledgement = () => {
    const uri = new URL(database.uri);
    uri.searchParams.delete('journal');
    uri.searchParams.set('w', '0');
    return uri.href;
  };

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
