import { readFileSync } from 'node:fs';
import { command, endWith, usageFault } from '../cli/command.js';
import { faultsSinceRelease, lastVersion, newsSince } from './check-contract.js';
import { gitStatus, writeRelease } from './write-release.js';

const syntax = {
  name: 'release',
  positionals: 'VERSION',
  summary:
    'Writes the files of a release: the version everywhere, the schema and the REST examples in schema/released, the date in CHANGELOG.md; and into release/, which git ignores, the SBOM. Commits, pushes and publishes nothing.',
  options: {},
};

/** If the command refuses, it has written nothing. @param root the folder of the built package */
export const releaseCommand = (root: URL) =>
  command(syntax, async ({ positionals }) => {
    const [version = '', ...others] = positionals;
    if (!/^\d+\.\d+\.\d+$/.test(version) || others.length > 0)
      throw usageFault(syntax, 'Give one version, such as 1.2.0.');
    // Check this before the version: a killed run may have changed package.json, but not the other files.
    const changes = await gitStatus(root);
    if (changes) throw new Error(`The working tree has changes; commit or drop them first:\n${changes}`);
    const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
    const { version: present } = JSON.parse(read('package.json')) as { version: string };
    if (!isHigher(version, present))
      throw new Error(`${version} is not higher than ${present}, the version of package.json.`);
    const changeLog = read('CHANGELOG.md');
    const news = newsSince(lastVersion(changeLog), changeLog).trim();
    if (!/^## Unreleased$/m.test(changeLog) || news === '')
      throw new Error('CHANGELOG.md has nothing under "## Unreleased": describe there what has changed.');
    const faults = faultsSinceRelease(root, version);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    await writeRelease(root, version);
    return `The files of ${version} are written; nothing is committed, pushed or published. Check them, then run:\n\n  git add -A && git commit -m 'Release ${version}' && git tag -a v${version} -m ${version}`;
  });

/** A version is higher than its own prereleases, such as 2.0.0-next.0. */
const isHigher = (version: string, other: string): boolean =>
  other.startsWith(`${version}-`) || version.localeCompare(other, 'en', { numeric: true }) > 0;

await endWith(import.meta, releaseCommand(new URL('../../', import.meta.url)));
