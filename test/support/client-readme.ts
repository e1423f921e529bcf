import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PackedClient } from './packed-client.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/**
 * Writes the examples of the client's README into the folder of the imaginary front-end, each with what `edit` makes of it, and runs
 * Relay's compiler.
 * @returns the paths of the files
 */
export async function writeExamples(
  { folder, installed }: PackedClient,
  edit = (code: string): string => code,
): Promise<string[]> {
  const readme = await readFile(join(installed, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/<!-- run -->\s+```\w+\n([^]*?)```/g)].map(([, code = '']) => ({
    code,
    name: /^\/\/ (\S+)/.exec(code)?.[1] ?? 'relay.config.json',
  }));
  for (const { code, name } of examples) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), edit(code));
  }
  await run(process.execPath, [require.resolve('relay-compiler/cli.js'), 'relay.config.json'], {
    cwd: folder,
  });
  return examples.map(({ name }) => join(folder, name));
}

/** What the Relay plugin of a bundler makes of a file: each document is imported from its artifact. */
export const withArtifacts = (code: string): string =>
  code.replace(
    /graphql`\s*(?:query|fragment|mutation) (\w+)[^`]*`/g,
    (_, name: string) => `require('./__generated__/${name}.graphql')`,
  );
