import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root } from './process.js';

/**
 * Starts nginx in front of two gateways, with a copy of `deploy/nginx.conf`.
 * @param change a shell command that edits the copy
 */
export async function startNginx(
  gatewayPorts: readonly number[],
  change = '',
): Promise<{ url: string; end: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-proxy-'));
  const port = await freePort();
  const configuration = (await readFile(join(root, 'deploy/nginx.conf'), 'utf8'))
    .replace(/172\.30\.0\.([34]):4000/g, (_, last: string) => `127.0.0.1:${gatewayPorts[Number(last) - 3]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll(/\/tmp\/|\/var\/log\/nginx\//g, `${folder}/`);
  await writeFile(join(folder, 'nginx.conf'), configuration);
  execFileSync('sh', ['-c', change], { cwd: folder });
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', `daemon off; ${user}`], {
    stdio: 'ignore',
  });
  const end = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, end };
}
