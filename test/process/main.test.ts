import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { claimRecordFormat } from '../../src/database/record-format.js';
import { parseSettings } from '../../src/settings/settings.js';
import { endAll, root, type Running, startGatewayProcess } from '../support/process.js';
import { openTestDatabase } from '../support/database.js';
import { graphql } from '../support/requests.js';
import { providersFile } from '../support/provider.js';
import { refusedStarts } from '../support/refused-starts.js';
import { openSeverableDatabase } from '../support/severable.js';
import { tokenFactory } from '../support/tokens.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { refusesTwins } from '../support/unique-indexes.js';
import { until } from '../support/until.js';
import { ownFolders } from '../support/own-folder.js';
import { updateJob } from '../support/updates.js';

const newFolder = ownFolders();
let dataDir: string;
beforeEach(() => void (dataDir = newFolder()));
afterAll(endAll);

/** The answers of a killed gateway to the commands in its log, and the gateway that was started after it. */
let first: { dataDir: string; calls: string[]; answers: unknown[]; status: number; token: string };
let second: Running;
beforeAll(async () => {
  const folder = newFolder();
  const killed = await startGatewayProcess({ DATA_DIR: folder });
  await until(() => killed.output().includes('/companies -H'));
  const calls: string[] = killed.output().match(/^curl .*$/gm) ?? [];
  const answers = await Promise.all(
    calls.map(
      async (call) => JSON.parse((await promisify(execFile)('bash', ['-c', call])).stdout) as unknown,
    ),
  );
  const token = await (await tokenFactory(parseSettings({ DATA_DIR: folder })))();
  const { status } = await updateJob(killed, { salary: '77k' }, { token }, 'acme-office-manager');
  await killed.end('SIGKILL');
  first = { dataDir: folder, calls, answers, status, token };
  second = await startGatewayProcess({ DATA_DIR: folder });
});

/** Tries to start gateways, and says why they fail. */
let starts: Awaited<ReturnType<typeof refusedStarts>>;
beforeAll(async () => void (starts = await refusedStarts()));
afterAll(() => starts.end());

const refusalsOf: typeof starts.refusalsOf = (environments) =>
  starts.refusalsOf(environments.map((environment) => ({ DATA_DIR: dataDir, ...environment })));

describe('first start on the built-in store (Contract 9.3.5)', () => {
  it('prints two commands that succeed when pasted, and keeps acknowledged changes after a kill', async () => {
    const { calls, answers, status, token } = first;
    expect(calls).toHaveLength(2);
    expect(answers[0]).toMatchObject({ data: { updateJob: { job: { salary: '55 000 €' } } } });
    expect(answers[1]).toMatchObject({ status: 201, company: { name: 'Acme' } });
    expect(status).toBe(200);
    const query = '{ job(publicId: "acme-office-manager") { salary version } }';
    const { body } = await graphql(second, query, {}, { token });
    expect(body.data?.job).toMatchObject({ salary: '77k', version: 2 });
  });

  it('refuses a second process on its folder', async () => {
    const [refused] = await refusalsOf([{ DATA_DIR: first.dataDir }]);
    expect(refused?.start).toEqual([expect.stringMatching(/in use/)]);
  });

  it('accepts new connections after SIGHUP, ignores a second signal, and exits with 0 (Contract 9.3.1)', async () => {
    const { url, child, end } = second;
    const code = end('SIGHUP');
    const ask = async () => (await fetch(`${url}/ready`, { headers: { connection: 'close' } })).status;
    await until(async () => (await ask()) === 503);
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });
});

describe('gateway that cannot start', () => {
  it('names a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const [refused] = await refusalsOf([{ PORT: String((other.address() as AddressInfo).port) }]);
    other.close();
    expect(refused?.start).toEqual([
      expect.stringMatching(/^fail {2}port .*port \d+ of 127.0.0.1 is in use.* {2}— .*another PORT$/),
    ]);
  });

  it('names an unreachable database, without its password', async () => {
    const refusals = await refusalsOf([{ MONGODB_URI: 'mongodb://someone:opensesame@127.0.0.1:1/gateway' }]);
    expect(refusals[0]?.start).toEqual([
      expect.stringMatching(/^fail {2}database .*does not answer.*ECONNREFUSED/),
    ]);
    expect(JSON.stringify(refusals)).not.toContain('opensesame');
  });

  it('names every fault of the file of JWT_PROVIDERS at once (Contract 9.1.4)', async () => {
    const path = await providersFile([{ issuer: 'https://a.example', prefix: 'A', keys: { keys: [] } }, 7]);
    const refusals = await refusalsOf([{ JWT_PROVIDERS: path }]);
    expect(refusals.map(({ start }) => start)).toEqual([
      [
        ...['prefix must', 'keys must', 'audience is missing'],
        ...['provider 2: must be an object', 'provider 1: media is missing'],
      ].map((fault) =>
        expect.stringMatching(new RegExp(`^fail {2}keys .*${fault}.* {2}— fix the file of JWT_PROVIDERS`)),
      ),
    ]);
  });

  it('names a HOST of another machine, a missing key file or the fault of a MONGODB_URI, and no part of a password', async () => {
    const ofUris = {
      // With w=0, the database acknowledges no write. The start says so before it connects.
      'mongodb://127.0.0.1:1/gateway?w=0':
        /^fail {2}database {2}MONGODB_URI has w=0, .* {2}— remove w=0 from MONGODB_URI$/m,
      // An incomplete escape.
      'mongodb://a:opensesame%@b/c':
        /^fail {2}database {2}MONGODB_URI cannot be read: URI malformed {2}— fix it; write %25 for a %/m,
      // A user and a password, but no host.
      'mongodb://admin:opensesame':
        /^fail {2}database {2}MONGODB_URI cannot be read: URI malformed {2}— fix it/m,
      // The same, but the `?` in the password starts the options.
      'mongodb://admin:s3?opensesame':
        /^fail {2}database {2}MONGODB_URI cannot be read: URI malformed {2}— fix it/m,
      // A proxy password that contains an `&`.
      'mongodb://h/?proxyHost=p&proxyUsername=u&proxyPassword=a&opensesame':
        /^fail {2}database {2}MONGODB_URI cannot be read: URI malformed {2}— fix it/m,
      // An unknown option.
      'mongodb://a:opensesame@b/c?jornal=true':
        /^fail {2}database {2}MONGODB_URI cannot be read: option jornal is not supported {2}— fix it/m,
    };
    const lines: [environment: Record<string, string>, line: RegExp][] = [
      [{ HOST: '192.0.2.1' }, /^fail {2}port .*192\.0\.2\.1 is not an address/],
      [{ JWT_KEY_FILE: '/nowhere/keys.json' }, /^fail {2}keys .*ENOENT/],
      ...Object.entries(ofUris).map(([MONGODB_URI, line]): (typeof lines)[number] => [{ MONGODB_URI }, line]),
    ];
    const refusals = await refusalsOf(lines.map(([environment]) => environment));
    expect(refusals.map(({ start }) => start)).toEqual(
      lines.map(([, line]) => [expect.stringMatching(line)]),
    );
    expect(JSON.stringify(refusals)).not.toContain('opensesame');
  });

  it('prints all reasons even to a slow reader', async () => {
    const script = `{ head -c 65536 /dev/zero >&2; "${process.execPath}" dist/main.js; } 2>&1 >/dev/null | { sleep 3; tail -c 2000; }`;
    const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', PORT: 'x', MONGODB_URI: '' };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
    expect(stdout).toMatch(/PORT: expected [^]*MONGODB_URI: [^]*JWT_JWKS_URL or JWT_KEY_FILE: [^]*\n$/);
  });

  it('names a database that stops answering during the start', async () => {
    const database = await openSeverableDatabase();
    database.way.loseReplyTo('createIndexes', 'quotas');
    const [refused] = await refusalsOf([{ MONGODB_URI: database.uri }]);
    expect(refused?.start).toEqual([
      expect.stringMatching(
        /^fail {2}database .*has not finished a command: .* {2}— check that the database answers/,
      ),
    ]);
    await database.close();
  });

  it('names a DATA_DIR that is a file, is inside a file or behind a broken link, or whose store cannot be opened', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await symlink(join(dataDir, 'nowhere'), join(dataDir, 'link'));
    const store = join(dataDir, 'store');
    await mkdir(join(store, 'data.mdb'), { recursive: true });
    const faults: [folder: string, fault: RegExp, more?: Record<string, string>][] = [
      [file, /EEXIST/],
      [join(file, 'sub'), /ENOTDIR/],
      [join(dataDir, 'link'), /link/],
      [join(dataDir, 'link/sub'), /link/],
      [join(dataDir, 'x'.repeat(300)), /ENAMETOOLONG/],
      [store, /directory/],
    ];
    // In /proc, Node.js's own recursive mkdir would never end.
    if (existsSync('/proc/self'))
      faults.push(['/proc/x/y', /ENOENT/], ['/proc/x', /ENOENT/, { JWT_JWKS_URL: 'http://127.0.0.1:1' }]);
    const refusals = await refusalsOf(faults.map(([DATA_DIR, , more]) => ({ DATA_DIR, ...more })));
    for (const [i, [folder, fault]] of faults.entries())
      expect([folder, refusals[i]?.start]).toEqual([
        folder,
        [expect.stringMatching(new RegExp(`^fail  database  DATA_DIR .*${fault.source}`))],
      ]);
  });

  it('names every fault of the trusted documents, by hash and operation', async () => {
    const file = join(dataDir, 'trusted.json');
    const nested = '{a'.repeat(20_000);
    const texts = [
      'query Whose { viewer { name } job { salary } }',
      nested,
      'query {',
      '{ viewer { subject } }',
    ];
    await writeTrusted(file, texts);
    const [unfit = '', deep = '', broken = ''] = texts.map((text) => sha256(text).slice(0, 12));
    const [refused] = await refusalsOf([{ TRUSTED_DOCUMENTS: file }]);
    expect(refused?.start.filter((line) => /^fail {2}trusted .*$/.test(line))).toEqual([
      expect.stringMatching(
        `${unfit}… \\(Whose\\) is refused at 1:24: Cannot query field "name" on type "Viewer"`,
      ),
      expect.stringMatching(`${unfit}… \\(Whose\\) is refused at 1:31: .*"publicId".* required`),
      expect.stringMatching(`${deep}… is refused: It nests too deeply\\.`),
      expect.stringMatching(`${broken}… is refused at 1:8: Syntax Error`),
    ]);
  });

  it('names every trusted document that was written for an older schema, however many there are (Contract 4.7.2)', async () => {
    const file = join(dataDir, 'old.json');
    const names = Array.from({ length: 60 }, (_, at) => `Old${at}`);
    await writeTrusted(file, [
      'query Fits { viewer { subject } }',
      ...names.map((name) => `query ${name} { viewer { name } job(publicId: "a") { office { id } } }`),
    ]);
    const [refused] = await refusalsOf([{ TRUSTED_DOCUMENTS: file }]);
    const said = refused?.start.join('\n') ?? '';
    expect(names.filter((name) => !said.includes(`(${name})`))).toEqual([]);
    expect(said).not.toContain('(Fits)');
  });

  it('names an index that cannot be built because two records have the same key', async () => {
    const database = await openTestDatabase();
    const media = database.connection.collection('media');
    await claimRecordFormat(database.connection.db as never);
    await media.insertMany([{ publicId: 'twice' }, { publicId: 'twice' }]);
    if (!(await refusesTwins(database.connection))) return database.close();
    const [refused] = await refusalsOf([{ MONGODB_URI: database.uri }]);
    expect(refused?.start).toEqual([expect.stringMatching(/^fail {2}indexes .*E11000/)]);
    await database.close();
  });
});
