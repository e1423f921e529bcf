import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Installation, shareDatabase } from '../reliability/support/installation.js';
import { freePort, has, root } from '../support/process.js';
import { until } from '../support/until.js';
import { ownFolder } from '../support/own-folder.js';

const run = promisify(execFile);
const canBuild = ['podman', 'runc', 'dpkg'].every(has);
if (!canBuild) process.stdout.write('no podman with runc on a Debian: the image is neither built nor run\n');

const folder = ownFolder();

(canBuild ? describe : describe.skip)('image of deploy/Containerfile', () => {
  let own: string[];
  let database: Installation | undefined;
  let url: string;

  const podman = async (...args: string[]): Promise<string> =>
    (await run('podman', [...own, ...args], { maxBuffer: 1e8 })).stdout.trim();
  const inside = (script: string): Promise<string> => podman('exec', 'gateway', 'node', '-p', script);

  beforeAll(async () => {
    // Debian's other runtime, crun, fails on a machine with both versions of cgroups.
    own = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--runtime', 'runc'];
    await run(join(root, 'test/deploy/support/make-bases.sh'), [folder, 'podman', ...own]);
    const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
    await podman(
      ...['build', '--quiet', '--tag', 'gateway', '--file', join(root, 'deploy/Containerfile')],
      ...['--build-arg', 'NODE_IMAGE=localhost/node', '--build-arg', 'RUN_IMAGE=localhost/run'],
      // Without `--format docker`, podman leaves out the health check.
      ...['--format', 'docker', '--layers=false', '--isolation', 'chroot', '--network', 'host'],
      ...['--volume', `${cache}:/root/.npm`, root],
    );
    database = await shareDatabase();
    const keys = database.environment.DATA_DIR ?? '';
    await chmod(join(keys, 'development-key.json'), 0o644);
    await chmod(keys, 0o755);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // As in compose.yaml, but on this machine's network, where the database is.
    await podman(
      ...[
        'run',
        '--detach',
        '--name',
        'gateway',
        '--network',
        'host',
        '--read-only',
        '--read-only-tmpfs=false',
      ],
      ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--volume', `${keys}:/keys:ro`],
      ...[
        '--env',
        `PORT=${port}`,
        '--env',
        `MONGODB_URI=${database.uri}`,
        '--env',
        'JWT_KEY_FILE=/keys/development-key.json',
      ],
      // podman's default limits may exceed the limits of this user.
      ...['--ulimit', 'nofile=4096', '--ulimit', 'nproc=4096', 'gateway'],
    );
  }, 1_200_000);
  afterAll(async () => {
    await podman('rm', '--force', 'gateway').catch(() => undefined);
    await database?.remove();
    await podman('rmi', '--all', '--force');
  }, 120_000);

  it('has at most 250 MB, and does not run as root', async () => {
    const [size, user] = (
      await podman('image', 'inspect', '--format', '{{.Size}} {{.User}}', 'gateway')
    ).split(' ');
    process.stdout.write(`the image has ${Math.round(Number(size) / 1e6)} MB\n`);
    expect(Number(size)).toBeLessThanOrEqual(250e6);
    expect(user).toBe('65532:65532');
  });

  it('has only production dependencies, and no shell', async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; dependencies?: Record<string, string> }>;
    };
    const script = `JSON.stringify(fs.globSync('node_modules/{*,@*/*}/package.json').map((file) => path.dirname(file)))`;
    const installed = JSON.parse(await inside(script)) as string[];
    expect(installed.filter((name) => packages[name]?.dev ?? false)).toEqual([]);
    const needed = Object.keys(packages['']?.dependencies ?? {}).map((name) => `node_modules/${name}`);
    expect(needed.filter((name) => !installed.includes(name))).toEqual([]);
    await expect(podman('exec', 'gateway', 'sh', '-c', 'true')).rejects.toThrow(/not found/);
  });

  it('has the licences of all its packages', async () => {
    const list = (pattern: string) => inside(`JSON.stringify(fs.globSync('${pattern}'))`);
    const inImage = JSON.parse(
      await list(
        '{/usr/share/doc/node/LICENSE,dist/**/licences*.txt,schema/places/licences.txt,node_modules/{*,@*/*}/*}',
      ),
    ) as string[];
    expect(inImage.filter((file) => !file.startsWith('node_modules/'))).toHaveLength(3);
    const packages = [...new Set(inImage.map((file) => dirname(file)))].filter((folder) =>
      existsSync(join(root, folder, 'package.json')),
    );
    const asInstalled = packages.flatMap((folder) =>
      readdirSync(join(root, folder)).map((file) => join(folder, file)),
    );
    // Some packages have their licence only in the README.
    const legal = asInstalled.filter((file) =>
      /\/[^/]*(?:licen[cs]e|notice|copying|readme)[^/]*$/i.test(file),
    );
    expect(legal.length).toBeGreaterThan(200);
    expect(legal.filter((file) => !inImage.includes(file))).toEqual([]);
  });

  it('becomes ready and accepts a logo on a read-only root file system', async () => {
    const isReady = () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady);
    expect(await isReady()).toBe(true);
    expect(await inside('process.getuid()')).toBe('65532');
    for (const place of ['/app', '/tmp'])
      await expect(inside(`fs.writeFileSync('${place}/file', '')`)).rejects.toThrow(/EROFS/);
    const body = new FormData();
    body.append('media_public_id', 'demo-media');
    const logo = await readFile(join(root, 'schema/examples/operations/logo.png'));
    body.append('logo', new Blob([Uint8Array.from(logo)]));
    const authorization = `Bearer ${database?.token ?? ''}`;
    const answer = await fetch(`${url}/companies?company-public-id=acme`, {
      method: 'PATCH',
      headers: { authorization },
      body,
    });
    expect(await answer.json()).toMatchObject({ status: 201 });
  });

  it('passes its own health check', async () =>
    expect(await podman('healthcheck', 'run', 'gateway')).toBe(''));

  it('stops on SIGTERM, and exits with 0', async () => {
    await podman('stop', '--time', '20', 'gateway');
    expect(await podman('inspect', '--format', '{{.State.ExitCode}}', 'gateway')).toBe('0');
    expect(await podman('logs', 'gateway')).toMatch(/"msg":"stopped"\}$/);
  });
});
