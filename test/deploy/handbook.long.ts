import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withTables } from '../../src/build/handbook-tables.js';
import { commandsOn } from '../support/commands.js';
import { has, root } from '../support/process.js';
import { type Installation, shareDatabase, withName } from '../reliability/support/installation.js';
import { ownFolder } from '../support/own-folder.js';

const handbook = await readFile(join(root, 'deploy/README.md'), 'utf8');
const blocks = [...handbook.matchAll(/^#+ (.*)\n(?:(?!^#)[^])*?```sh\n([^]*?)```/gm)].map(
  ([, title = '', text = '']) => ({ title, text }),
);
/** Commands of the handbook that the suite does not run. */
const elsewhere = /^(?:npm ci\b|sudo |docker compose|kubectl (?:apply|exec))/;
const commandsOf = (title: string): string =>
  (blocks.find((block) => block.title === title)?.text ?? '')
    .replace(/^.*<<'END'\n[^]*?^END\n/gm, '')
    .split('\n')
    .filter((line) => !elsewhere.test(line))
    .join('\n');

let source: Installation;
const folder = ownFolder();
beforeAll(async () => {
  source = await shareDatabase();
  for (const name of ['package.json', 'dist', 'schema', 'node_modules'])
    await symlink(join(root, name), join(folder, name));
  await cp(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
});
afterAll(async () => {
  for (const name of ['handbook_records', 'handbook_restored'])
    await source.connection.useDb(name).dropDatabase();
  await source.remove();
});

const shell = async (script: string, environment: Record<string, string> = {}): Promise<string> => {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: {
      ...process.env,
      ...source.environment,
      NODE_OPTIONS: '',
      MONGODB_URI: source.uri,
      ANOTHER_DATABASE: withName(source.uri, 'handbook_restored'),
      ...environment,
    },
  });
  return stdout;
};

const keysOfContainers = { JWT_KEY_FILE: 'deploy/keys/keys.json' };
const modesOfKeys = async (): Promise<string[]> =>
  (await shell('stat -c %a deploy/keys deploy/keys/keys.json')).trim().split('\n');

const secretsIn = async (file: string) =>
  [...(await readFile(join(root, file), 'utf8')).matchAll(/\$\{(\w+_PASSWORD)\b/g)].map(
    ([, name = '']) => name,
  );

describe('handbook', () => {
  it('has at most 440 lines, and says which commands the suite does not run', () => {
    expect(handbook.split('\n').length).toBeLessThanOrEqual(440);
    expect(blocks.map(({ title }) => title)).toEqual([
      'With containers',
      'Under systemd',
      'On Kubernetes',
      'Commands',
      'Records in and out',
      'Back-up and restore',
      'Keys',
    ]);
    expect(handbook).toMatch(
      /except `npm ci`, `docker compose`, `kubectl apply` and what needs `sudo` or a container/,
    );
    expect(commandsOf('Under systemd').trim()).toBe('');
    expect(blocks.find(({ title }) => title === 'Under systemd')?.text).toContain(
      'JWT_KEY_FILE=/etc/recruitment-gateway/keys.json node /opt/recruitment-gateway/dist/cli/key.js',
    );
  });

  it('has the generated tables of settings and metrics', () => {
    expect(withTables(handbook)).toBe(handbook);
    for (const first of ['`NODE_ENV`', '`gateway_requests_in_flight`'])
      expect(handbook).toContain(`\n| ${first} | `);
  });

  it('has commands that import, export and erase records', async () => {
    const database = withName(source.uri, 'handbook_records');
    await shell(commandsOf('Records in and out'), { MONGODB_URI: database });
    const exported = (await readFile(join(folder, 'records.jsonl'), 'utf8')).trim().split('\n');
    const kinds = exported.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect([...new Set(kinds)]).toEqual(['media', 'reference', 'company', 'job']);
  });

  it('has commands that make the keys and passwords for compose.yaml', async () => {
    await shell(`umask 077\n${commandsOf('With containers')}`);
    const made = await readFile(join(folder, 'deploy/.env'), 'utf8');
    const names = [...made.matchAll(/^(\w+)=[\da-f]{32}$/gm)].map(([, name = '']) => name);
    expect(names.sort()).toEqual([...new Set(await secretsIn('deploy/compose.yaml'))].sort());
    expect(await modesOfKeys()).toEqual(['755', '644']);
    await shell('npm run --silent token', keysOfContainers);
  });

  it('has commands that put a new key first, retire the old key, and let the containers read the file', async () => {
    const compose = await readFile(join(root, 'deploy/compose.yaml'), 'utf8');
    // The commands replace keys.json: a mount of keys.json itself would keep the old file.
    expect(compose).toContain("volumes: ['./keys:/keys:ro']");
    expect(compose).toContain('JWT_KEY_FILE: /keys/keys.json');
    const [, after = ''] = /^- With containers: `(.*?)`/m.exec(handbook) ?? [];
    const kids = async () =>
      (JSON.parse(await shell('cat deploy/keys/keys.json')) as { keys: { kid: string }[] }).keys.map(
        ({ kid }) => kid,
      );
    const change = async (command: string) => {
      await shell(command, keysOfContainers);
      expect(await modesOfKeys()).toEqual(['755', '600']);
      await shell(after);
      expect(await modesOfKeys()).toEqual(['755', '644']);
      return kids();
    };
    const [rotate = '', retire = '', ...more] = commandsOf('Keys').trim().split('\n');
    expect(more).toEqual([]);
    const [old = ''] = await kids();
    expect((await change(rotate)).indexOf(old)).toBe(1);
    const left = await change(retire.replace('KID', old));
    expect(left).toHaveLength(1);
    expect(left).not.toContain(old);
  });

  describe('has a command line that works on the database of the service', () => {
    const lines =
      blocks
        .find(({ title }) => title === 'Commands')
        ?.text.trim()
        .split('\n') ?? [];
    /** Runs a line with the service's environment, and without the operator's. */
    const inService = async (line: string, environment: Record<string, string>) => {
      const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', line], {
        cwd: folder,
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...environment },
      });
      const { host } = new URL(source.uri);
      const name = new URL(source.uri).pathname.slice(1);
      expect([stderr, stdout]).toEqual([`MongoDB at ${host}, database ${name}\n`, 'No revocations.\n']);
    };
    const uri = () => `${source.uri}${source.uri.includes('?') ? '&' : '?'}w=majority&appName=handbook`;

    it('under systemd, whose environment file a shell reads as systemd does', async () => {
      const [, file = ''] = /<<'END'\n([^]*?)^END$/m.exec(handbook) ?? [];
      expect(file.trimEnd().split('\n')).toEqual(file.match(/^\w+=(?:'[^']*'|[\w:/.-]+)$/gm));
      const unit = await readFile(join(root, 'deploy/gateway.service'), 'utf8');
      const [, path = ''] = /^EnvironmentFile=(.*)$/m.exec(unit) ?? [];
      const own = join(folder, 'environment');
      await writeFile(own, file.replace(/'mongodb:.*'/, `'${uri()}'`));
      const line = lines[0]?.replace('sudo ', '').replace(path, own) ?? '';
      await inService(line.replace('/opt/recruitment-gateway', folder), {});
      expect(line).toContain(own);
    });

    it.each([
      ['docker compose exec -T gateway-1 ', 'compose.yaml'],
      ['kubectl exec -i deploy/recruitment-gateway -- ', 'kubernetes.yaml'],
    ])('in a container: %s', async (within, file) => {
      const manifest = await readFile(join(root, 'deploy', file), 'utf8');
      const [keyFile = ''] = /\/keys\/keys\.json/.exec(manifest) ?? [];
      const line = lines.find((each) => each.startsWith(within))?.slice(within.length) ?? '';
      await inService(line, { NODE_ENV: 'production', MONGODB_URI: uri(), JWT_KEY_FILE: keyFile });
    });
  });

  (has('jq') ? it : it.skip)('has a command that lists the callers with most time', async () => {
    const [, command = ''] = /`(jq [^`]*gateway\.log[^`]*)`/.exec(handbook) ?? [];
    const lines = [
      ...['a', 'b', 'a', 'c', 'd', 'e', 'f'].map((caller, at) => ({
        caller,
        ms: 9 - at,
      })),
      { ms: 90 },
      { caller: 'g' },
    ].map((line) => JSON.stringify(line));
    await writeFile(join(folder, 'gateway.log'), ['npm notice', '7', ...lines].join('\n'));
    expect(await shell(command)).toBe('16\ta\n8\tb\n6\tc\n5\td\n4\te\n');
  });

  (has('kubectl') ? it : it.skip)('has a command for the Secret that kubernetes.yaml reads', async () => {
    await writeFile(join(folder, 'keys.json'), '{}');
    const command = commandsOf('On Kubernetes').trim();
    const { metadata, data } = JSON.parse(await shell(`${command} --dry-run=client -o json`)) as {
      metadata: { name: string };
      data: Record<string, string>;
    };
    const manifest = await readFile(join(root, 'deploy/kubernetes.yaml'), 'utf8');
    expect(manifest).toContain(`secretName: ${metadata.name}\n`);
    for (const key of Object.keys(data)) expect(manifest).toContain(`key: ${key}`);
    expect(Object.keys(data)).toHaveLength(2);
  });

  it('has a back-up command that reports a failure even without pipefail, and keeps the last back-up', async () => {
    const [backUp = ''] = commandsOf('Back-up and restore').split('\n');
    const last = Buffer.from('the last back-up');
    await writeFile(join(folder, 'backup.jsonl.gz'), last);
    const unreachable = { MONGODB_URI: 'mongodb://127.0.0.1:1/nobody' };
    await expect(shell(`set +o pipefail; ${backUp}`, unreachable)).rejects.toThrow(/does not answer/);
    expect(await readFile(join(folder, 'backup.jsonl.gz'))).toEqual(last);
  });

  it('has commands that back up and restore every record with its history (Contract 9.2)', async () => {
    await shell(commandsOf('Back-up and restore'));
    const recordsIn = async (uri: string) =>
      (await commandsOn(uri).exportAll('--with-history')).stdout.trim().split('\n').sort();
    const before = await recordsIn(source.uri);
    expect(before.length).toBeGreaterThan(50);
    expect(await recordsIn(withName(source.uri, 'handbook_restored'))).toEqual(before);
  });
});
