import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Diagnosis } from '../../src/doctor/doctor.js';
import { parseSettings } from '../../src/settings/settings.js';
import {
  dist,
  freePort,
  importable,
  root,
  type Running,
  startGatewayProcess,
  startOnSmallDisk,
  startStoreProcess,
  startWithFullDisk,
} from '../support/process.js';
import { openTestDatabase } from '../support/database.js';
import { graphql } from '../support/requests.js';
import { providersFile } from '../support/provider.js';
import { openSeverableDatabase } from '../support/severable.js';
import { tokenFactory } from '../support/tokens.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { until } from '../support/until.js';
import { ownFolders } from '../support/own-folder.js';
import { updateJob } from '../support/updates.js';

const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'full', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const newFolder = ownFolders();
let dataDir: string;
const running: Running[] = [];

beforeEach(() => void (dataDir = newFolder()));
afterEach(async () => {
  for (const gateway of running.splice(0)) {
    const { child } = gateway;
    if (child.exitCode === null && child.signalCode === null) await gateway.end('SIGKILL');
  }
});

async function start(environment: Record<string, string> = {}): Promise<Running> {
  const gateway = await startGatewayProcess({ DATA_DIR: dataDir, ...environment });
  running.push(gateway);
  return gateway;
}

/** The results of a gateway that was called with the commands from its log, killed, restarted and stopped. */
let ended: {
  dataDir: string;
  calls: string[];
  answers: unknown[];
  status: number;
  job: unknown;
  output: string;
  code: number | null;
};
beforeAll(async () => {
  const folder = newFolder();
  const first = await startGatewayProcess({ DATA_DIR: folder });
  await until(() => first.output().includes('/companies -H'));
  const calls: string[] = first.output().match(/^curl .*$/gm) ?? [];
  const answers = await Promise.all(
    calls.map(
      async (call) => JSON.parse((await promisify(execFile)('bash', ['-c', call])).stdout) as unknown,
    ),
  );
  const token = await (await tokenFactory(parseSettings({ DATA_DIR: folder })))();
  const { status } = await updateJob(first, { salary: '77k' }, { token }, 'acme-office-manager');
  await first.end('SIGKILL');
  const second = await startGatewayProcess({ DATA_DIR: folder, UPDATE_JOB_QOUTA: '9/1s' });
  const query = '{ job(publicId: "acme-office-manager") { salary version } }';
  const { body } = await graphql(second, query, {}, { token });
  const code = await second.end('SIGHUP');
  ended = { dataDir: folder, calls, answers, status, job: body.data?.job, output: second.output(), code };
});

(canMount ? it : it.skip)(
  'a gateway whose disk fills up says so, and exits with 1 before a write fails within LMDB, which could end it by a signal',
  async () => {
    const gateway = await startOnSmallDisk(dataDir, 3);
    running.push(gateway);
    await until(() => gateway.output().includes('/companies -H'));
    const [, token = ''] = /Bearer ([\w.-]+)/.exec(gateway.output()) ?? [];
    const ask = async (index: number) =>
      updateJob(gateway, { description_job: `${index} ${'x'.repeat(15_000)}` }, { token }).then(
        ({ status }) => status,
        () => null,
      );
    let status: number | null = 200;
    for (let index = 0; status === 200; index += 1) status = await ask(index);
    await until(() => gateway.child.exitCode !== null || gateway.child.signalCode !== null);
    expect([gateway.child.exitCode, gateway.child.signalCode]).toEqual([1, null]);
    expect(gateway.output()).toMatch(/less than 1 MiB is free on the disk.*the built-in store failed/);
    expect(gateway.output()).not.toMatch(/Attempting to write page/);
  },
);

describe('first start on the built-in store (Contract 11.3)', () => {
  it('prints two commands that succeed when pasted, and keeps acknowledged changes after a kill', () => {
    const { calls, answers, status, job } = ended;
    expect(calls).toHaveLength(2);
    expect(answers[0]).toMatchObject({ data: { updateJob: { job: { salary: '55 000 €' } } } });
    expect(answers[1]).toMatchObject({ status: 201, company: { name: 'Acme' } });
    expect(status).toBe(200);
    expect(job).toMatchObject({ salary: '77k', version: 2 });
  });

  it('warns about a misspelt setting, and names the nearest setting (Contract 11.3.1)', () => {
    expect(ended.output).toMatch(/"level":40.*"variable":"UPDATE_JOB_QOUTA","nearest":"UPDATE_JOB_QUOTA"/);
  });

  it('warns about a MONGODB_URI without a database, and says which one it uses (Contract 11.3.3)', async () => {
    const store = await startStoreProcess(join(dataDir, 'store'));
    running.push(store);
    const { output } = await start({ MONGODB_URI: store.url });
    expect(output()).toMatch(/"level":40.*"msg":"MONGODB_URI names no database, .* uses the database test"/);
    expect(ended.output).not.toMatch('names no database');
  });

  it('exits with 0 on SIGHUP (Contract 11.4)', () => {
    expect(ended.code).toBe(0);
  });

  it('refuses a second process on its folder, accepts new connections after SIGTERM, and ignores a second SIGTERM (Contract 11.4)', async () => {
    const { url, child, end } = await start();
    await expect(start()).rejects.toThrow(/in use/);
    const ended = end('SIGTERM');
    const ask = async () => (await fetch(`${url}/ready`, { headers: { connection: 'close' } })).status;
    await until(async () => (await ask()) === 503);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('exits with 0 and is never ready on SIGTERM during the start', async () => {
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, PORT: '0', MONGODB_URI: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
    await until(() => output.includes('"starting"'));
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, output]).toEqual([0, expect.stringContaining('stopped before it had started')]);
    expect(output).not.toContain('"ready"');
  });
});

describe('log that cannot be written (Contract 11.5)', () => {
  it('does not disturb the start, calls or the stop if the disk is full', async () => {
    // The store runs in another process: only the log may hit the file size limit.
    const store = await startStoreProcess(join(dataDir, 'store'));
    running.push(store);
    const log = join(dataDir, 'log');
    const port = await freePort();
    const child = spawn('bash', ['-c', `ulimit -f 1; exec "$0" dist/main.js >"${log}"`, process.execPath], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'development',
        NODE_OPTIONS: '',
        DATA_DIR: dataDir,
        PORT: String(port),
        MONGODB_URI: store.url,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const health = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ status }) => status,
        () => child.exitCode ?? 0,
      );
    await until(async () => (await health()) !== 0);
    await until(async () => (await stat(log)).size === 1_024);
    // Wait longer than the gateway holds log lines.
    await sleep(200);
    expect(await health()).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('keeps lines in memory up to a limit, and then says how many are lost, as do the metrics (Contract 11.5.3)', async () => {
    const gateway = await start();
    const requests = 600;
    gateway.child.stdout?.pause();
    for (let i = 0; i < requests; i++) await fetch(`${gateway.url}/${'a'.repeat(16_000)}`);
    gateway.child.stdout?.resume();
    await until(() => gateway.output().includes('are lost'));
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(await gateway.end('SIGTERM')).toBe(0);
    const lines = gateway.output().match(/"path":"\/a+"/g)?.length;
    const lost = /"lines":(\d+)/.exec(gateway.output())?.[1];
    expect(lines).toBe(requests - Number(lost));
    expect(metrics).toContain(`\ngateway_log_lines_lost_total ${lost}\n`);
  });
});

describe('gateway that cannot start (Contract 11.3.2)', () => {
  interface Refused {
    settings: unknown;
    start: string[];
    doctor?: Diagnosis;
  }

  const disks = [0, 12, 1020].flatMap((freeKib) => [
    { freeKib, folder: `/mnt/${freeKib}-store/store`, subjects: ['database'] },
    { freeKib, folder: `/mnt/${freeKib}-new/new`, subjects: ['keys', 'database'] },
  ]);
  const withKeyAlone = '/mnt/key/new';
  /** Tries to start gateways, and says why they fail, as `dist/main.js` does. Only this process sees the mounted disks. */
  let asked: ChildProcess;
  let exited: Promise<unknown[]>;

  beforeAll(async () => {
    const script = `(async () => {
      const { runDoctor } = await import(${importable(`${dist}/doctor/doctor.js`)});
      const { startFaultLines } = await import(${importable(`${dist}/doctor/start-fault.js`)});
      const { startGateway } = await import(${importable(`${dist}/gateway.js`)});
      const { describeSettings, parseSettings } = await import(${importable(`${dist}/settings/settings.js`)});
      process.on('message', async ({ environments, isDoctorAsked }) => {
        const refusals = [];
        for (const environment of environments) {
          const settings = parseSettings({ LOG_LEVEL: 'silent', PORT: '0', ...environment });
          const refused = await startGateway(settings).catch((error) => error);
          refusals.push({
            settings: describeSettings(settings),
            start: startFaultLines(refused, settings),
            doctor: isDoctorAsked ? await runDoctor({ PORT: '0', ...environment }) : undefined,
          });
        }
        process.send(refusals);
      });
      process.send('listening');
    })()`;
    const mounts = [...disks, { freeKib: 0, folder: withKeyAlone }].map(({ freeKib, folder }) => {
      const disk = dirname(folder);
      return `mkdir ${disk}; mount -t tmpfs -o size=3m full ${disk} && cp -r ${ended.dataDir} ${disk}/store && cat /dev/zero >${disk}/full 2>/dev/null; truncate -s -${freeKib}K ${disk}/full`;
    });
    const file = join(ended.dataDir, 'data.mdb');
    const shell = `mount -t tmpfs disks /mnt
      ${mounts.join('\n')}
      mount --bind ${file} ${file} && mount -o remount,bind,ro ${file}
      exec "$0" "$@"`;
    const [program = '', ...args] = [
      ...(canMount ? ['unshare', '-rm', 'sh', '-c', shell] : []),
      process.execPath,
      '-e',
      script,
    ];
    asked = spawn(program, args, {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    exited = once(asked, 'exit');
    await Promise.race([once(asked, 'message'), exited]);
  });
  afterAll(async () => {
    asked.kill('SIGKILL');
    await exited;
  });

  const refusalsOf = async (
    environments: Record<string, string>[],
    { isDoctorAsked = false } = {},
  ): Promise<Refused[]> => {
    const answered = once(asked, 'message');
    asked.send({
      environments: environments.map((environment) => ({
        NODE_ENV: 'development',
        DATA_DIR: dataDir,
        ...environment,
      })),
      isDoctorAsked,
    });
    const [refusals] = (await Promise.race([answered, exited])) as [Refused[]];
    expect(refusals).toHaveLength(environments.length);
    for (const refused of refusals) expect(refused.start.join('\n')).not.toMatch(/^\s+at /m);
    return refusals;
  };

  it('names a port that is in use, and logs no warning or error', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const refused: unknown = await start({ PORT: String((other.address() as AddressInfo).port) }).then(
      () => 'started',
      (error: unknown) => error,
    );
    other.close();
    expect(refused).toBeInstanceOf(Error);
    const output = (refused as Error).message;
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).toMatch(/npm run doctor/);
    expect(output).toMatch(/^fail {2}port .*port \d+ of 127.0.0.1 is in use.* {2}— .*another PORT$/m);
    expect(output).not.toMatch(/"level":[456]0/);
  });

  it('names an unreachable database, without its password', async () => {
    const refusals = await refusalsOf([{ MONGODB_URI: 'mongodb://someone:opensesame@127.0.0.1:1/gateway' }]);
    expect(refusals[0]?.start).toEqual([
      expect.stringMatching(/^fail {2}database .*does not answer.*ECONNREFUSED/),
    ]);
    expect(JSON.stringify(refusals)).not.toContain('opensesame');
  });

  it('names every fault of the file of JWT_PROVIDERS at once (Contract 5.4.6)', async () => {
    const path = await providersFile([{ issuer: 'https://a.example', prefix: 'A', keys: { keys: [] } }, 7]);
    const refusals = await refusalsOf([{ JWT_PROVIDERS: path }], { isDoctorAsked: true });
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
    const refusals = await refusalsOf(
      lines.map(([environment]) => environment),
      { isDoctorAsked: true },
    );
    expect(refusals.map(({ start }) => start)).toEqual(
      lines.map(([, line]) => [expect.stringMatching(line)]),
    );
    expect(JSON.stringify(refusals)).not.toContain('opensesame');
  });

  it('prints all reasons even to a slow reader', async () => {
    const script = `{ head -c 65536 /dev/zero >&2; "${process.execPath}" dist/main.js; } 2>&1 >/dev/null | { sleep 3; tail -c 2000; }`;
    const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', PORT: 'x', MONGODB_URI: '' };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
    expect(stdout).toMatch(
      /PORT: expected [^]*MONGODB_URI: [^]*JWT_JWKS_URL or JWT_KEY_FILE: [^]*`npm run doctor` says more\.\n$/,
    );
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

  it('names a damaged store, as the doctor does (Contract 11.8)', async () => {
    const whole = await readFile(join(ended.dataDir, 'data.mdb'));
    const overwritten = (from: number, to: number): Buffer =>
      Buffer.concat([whole.subarray(0, from), Buffer.alloc(to - from, 'text '), whole.subarray(to)]);
    const damages = Object.entries({
      'cut in half': whole.subarray(0, whole.length / 2),
      'cut within its last page': whole.subarray(0, whole.length - 2048),
      'cut to its first two pages': whole.subarray(0, 8192),
      'cut to 100 bytes': whole.subarray(0, 100),
      'cut to nothing': Buffer.alloc(0),
      'with other first pages': overwritten(0, 8192),
      'with other pages within': overwritten(8192, whole.length - 8192),
      'with other documents': Buffer.from(
        whole.toString('latin1').replaceAll('publicId', 'p\0blic\0d'),
        'latin1',
      ),
      'that is a text': Buffer.from('no store\n'.repeat(9_000)),
    }).map(([damage, bytes]) => ({ DATA_DIR: join(dataDir, damage), bytes }));
    for (const { DATA_DIR: folder, bytes } of damages) {
      await mkdir(folder);
      await writeFile(join(folder, 'data.mdb'), bytes);
    }
    const refusals = await refusalsOf(
      damages.map(({ DATA_DIR }) => ({ DATA_DIR })),
      { isDoctorAsked: true },
    );
    for (const [i, { DATA_DIR: folder, bytes }] of damages.entries()) {
      const line = `fail  database  the built-in store in ${folder} is damaged  — restore a copy of the folder that was made while the gateway was stopped, or move its data.mdb away and import an export`;
      expect(refusals[i]?.start).toEqual([line]);
      expect(refusals[i]?.doctor).toMatchObject({ exitCode: 1, lines: expect.arrayContaining([line]) });
      expect(bytes.equals(await readFile(join(folder, 'data.mdb')))).toBe(true);
    }
  });

  (canMount ? it : it.skip)(
    'does not call an unchecked store damaged: an operator might discard intact data',
    async () => {
      const [refused] = await refusalsOf([{ DATA_DIR: ended.dataDir }], { isDoctorAsked: true });
      expect(refused?.doctor?.lines).toContain(
        `fail  database  DATA_DIR ${ended.dataDir} cannot be used: the store could not be checked: Read-only file system: Attempting to open main database file  — let this user write there, free space on its disk, or choose another DATA_DIR`,
      );
    },
  );

  it.each([40, 56])('names a DATA_DIR whose disk has %d KiB free, less than a start writes', async (kib) => {
    const start = startWithFullDisk({ DATA_DIR: dataDir }, kib);
    await expect(start).rejects.toThrow(
      /^fail {2}database {2}DATA_DIR .* cannot be used: the built-in store could not write.* {2}— .*free space on its disk/m,
    );
  });

  (canMount ? it : it.skip)(
    'names a DATA_DIR on a full or nearly full disk, whether it has a store, is new or is only for the key; so does the doctor (Contract 11.8)',
    async () => {
      const cannot = (folder: string, why: string) => [
        `fail  database  DATA_DIR ${folder} cannot be used: ${why}  — let this user write there, free space on its disk, or choose another DATA_DIR`,
      ];
      const full = (folder: string, subjects: string[]) =>
        subjects.map(
          (subject) =>
            `fail  ${subject.padEnd(8)}  less than 1 MiB is free on the disk of DATA_DIR ${folder}  — free some space`,
        );
      const refusals = await refusalsOf(
        [
          ...disks.map(({ folder }) => ({ DATA_DIR: folder })),
          { DATA_DIR: withKeyAlone, MONGODB_URI: 'mongodb://127.0.0.1:1' },
        ],
        { isDoctorAsked: true },
      );
      for (const [i, { freeKib, folder, subjects }] of disks.entries()) {
        const { start, doctor } = refusals[i] ?? {};
        expect(start).toEqual(cannot(folder, 'less than 1 MiB is free on its disk'));
        if (freeKib > 0) continue;
        expect(doctor?.lines.filter((line) => line.startsWith('fail'))).toEqual(full(folder, subjects));
      }
      expect(refusals.at(-1)?.start).toEqual(cannot(withKeyAlone, 'ENOSPC: no space left on device, write'));
    },
  );

  it('names every fault of the trusted documents, by hash and operation (Contract 11.3.2)', async () => {
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

  it('names every trusted document that was written for an older schema, however many there are (Contract 8.4.9)', async () => {
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
    await media.insertMany([{ publicId: 'twice' }, { publicId: 'twice' }]);
    const built = await media.createIndex({ publicId: 1 }, { unique: true }).catch(() => null);
    // DocumentDB reports success but does not build the index.
    if (built !== null) return database.close();
    const [refused] = await refusalsOf([{ MONGODB_URI: database.uri }]);
    expect(refused?.start).toEqual([expect.stringMatching(/^fail {2}indexes .*E11000/)]);
    await database.close();
  });
});
