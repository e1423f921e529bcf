import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PackedClient } from './packed-client.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** These need packages that `npm run test:generators` installs, which runs them. */
const elsewhere = ['hook-form.tsx', 'tiptap.ts', 'quill.ts'];

/**
 * Copies the recipes of the client into the folder of the imaginary front-end, each with what `edit` makes of it, and runs Relay's compiler.
 * @returns the paths of the files
 */
export async function copyRecipes(
  { folder, installed }: PackedClient,
  edit = (code: string): string => code,
): Promise<string[]> {
  const recipes = join(installed, 'recipes');
  await cp(recipes, folder, { recursive: true });
  const names = (await readdir(recipes, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const files = names.filter((name) => !elsewhere.includes(name)).map((name) => join(folder, name));
  for (const file of files) await writeFile(file, edit(await readFile(file, 'utf8')));
  await run(process.execPath, [require.resolve('relay-compiler/cli.js'), 'relay.config.json'], {
    cwd: folder,
  });
  return files;
}

/** Replaces each document with an import of its artifact, as the Relay plugin of a bundler does. */
export const withArtifacts = (code: string): string =>
  code.replace(
    /graphql`\s*(?:query|fragment|mutation) (\w+)[^`]*`/g,
    (_, name: string) => `require('./__generated__/${name}.graphql')`,
  );
