import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { namesOf } from './check-contract.js';
import { writeSbom } from './sbom.js';

const run = promisify(execFile);
const mostOutputBytes = 2 ** 25;

/** One line per changed file; empty if the working tree is clean. */
export async function gitStatus(root: URL): Promise<string> {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: root });
  return stdout.trimEnd();
}

/** Whether a file is the request or the answer of a REST example. The schema says what callers of GraphQL rely on. */
const isOfRest = (file: string): boolean =>
  file.endsWith('.http') && !/^POST \S+\/graphql$/m.test(readFileSync(file.replace('.answer.', '.'), 'utf8'));

/** The working tree must be clean beforehand. */
export async function writeRelease(root: URL, version: string): Promise<void> {
  const at = (file: string): URL => new URL(file, root);
  // The emitted files take the version from package.json.
  await run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], { cwd: root });
  await run(process.execPath, ['dist/build/print-schema.js'], { cwd: root, maxBuffer: mostOutputBytes });
  cpSync(at('schema/schema.graphql'), at('schema/released/schema.graphql'));
  writeFileSync(at('schema/released/names.json'), `${JSON.stringify(namesOf(root), null, 2)}\n`);
  rmSync(at('schema/released/examples/'), { recursive: true });
  for (const folder of ['operations/', 'errors/'])
    cpSync(at(`schema/examples/${folder}`), at(`schema/released/examples/${folder}`), {
      recursive: true,
      filter: (file) => statSync(file).isDirectory() || file.endsWith('.png') || isOfRest(file),
    });
  const today = new Date().toISOString().slice(0, 10);
  const changeLog = readFileSync(at('CHANGELOG.md'), 'utf8');
  writeFileSync(at('CHANGELOG.md'), changeLog.replace(/^## Unreleased$/m, `## ${version} (${today})`));
  const containerfile = readFileSync(at('deploy/Containerfile'), 'utf8');
  writeFileSync(at('deploy/Containerfile'), containerfile.replace(/(image\.version=).*/, `$1${version}`));
  await writeSbom(root);
}
