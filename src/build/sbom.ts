import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const mostOutputBytes = 2 ** 25;

/**
 * Writes `release/sbom.cdx.json`, which git ignores: every package of package-lock.json with its licence. It includes the packages that
 * the build bundles, which are development dependencies.
 */
export async function writeSbom(root: URL): Promise<void> {
  const sbom = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { stdout } = await run('npm', sbom, { cwd: root, maxBuffer: mostOutputBytes });
  mkdirSync(new URL('release/', root), { recursive: true });
  writeFileSync(new URL('release/sbom.cdx.json', root), stdout);
}
