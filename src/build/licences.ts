import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const legalFile = /licen[cs]e|notice|copying|copyright/i;

/** The licences that a build from these files must ship, without the project's own. @throws Error for a package that states none */
export function licencesOf(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => packageFolder.exec(file)?.[0] ?? []));
  // A package may be installed in several places.
  return [...new Set([...folders].map(licenceIn))].sort().join('\n');
}

function licenceIn(folder: string): string {
  const read = (file: string): string => readFileSync(resolve(folder, file), 'utf8');
  const { name, version, license } = JSON.parse(read('package.json')) as Record<string, string>;
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && legalFile.test(entry.name))
    .map(({ name: file }) => read(file));
  if (texts.length === 0) {
    if (license === undefined)
      throw new Error(`${name} ${version} states no licence, and dist would contain parts of it`);
    texts.push(`${license}\n\nThe package has no text of its licence.\n`);
  }
  return [`=== ${name}@${version} ===\n`, ...texts].join('\n');
}
