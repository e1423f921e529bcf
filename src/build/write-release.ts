import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { packagesIn } from './licences.js';

const run = promisify(execFile);
const released = 'schema/released/';
/** What a release carries beside the code. Git ignores this folder. */
const artefact = 'release/';
const mostOutputBytes = 2 ** 25;

interface Licensed {
  license?: { id?: string; name?: string };
  expression?: string;
}
interface Bom {
  metadata: { component: { 'bom-ref': string; name: string } };
  components: { 'bom-ref': string; name: string; version: string; licenses?: Licensed[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
interface Lock {
  packages: Record<string, { name?: string; version: string; dev?: true }>;
}

/** One line per changed file; empty if the working tree is clean. */
export async function gitStatus(root: URL): Promise<string> {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: root });
  return stdout.trimEnd();
}

/** Packages in `dist` whose version the lock file does not name. */
export function strayPackages(root: URL): string[] {
  const locked = new Set(lockedPackages(root).map(({ ref }) => ref));
  const stray = bundledPackages(root).filter((ref) => !locked.has(ref));
  // Replace the @: messages leave out anything that looks like an e-mail address.
  return stray.map((ref) => ref.replace(/(?<=.)@/, ' '));
}

/** The working tree must be clean beforehand. */
export async function writeRelease(root: URL, version: string): Promise<void> {
  const at = (file: string): URL => new URL(file, root);
  const read = (file: string): string => readFileSync(at(file), 'utf8');
  // The emitted files take the version from package.json.
  await run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], { cwd: root });
  await run(process.execPath, ['dist/build/print-schema.js'], { cwd: root, maxBuffer: mostOutputBytes });
  for (const file of ['schema.graphql', 'openapi.json']) cpSync(at(`schema/${file}`), at(released + file));
  const today = new Date().toISOString().slice(0, 10);
  const changeLog = read('CHANGELOG.md').replace(/^## Unreleased$/m, `## ${version} (${today})`);
  writeFileSync(at('CHANGELOG.md'), changeLog);

  const { name } = JSON.parse(read('package.json')) as { name: string };
  const sbom = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { stdout } = await run('npm', sbom, { cwd: root, maxBuffer: mostOutputBytes });
  const bom = ofRelease(JSON.parse(stdout) as Bom, root);
  // `npm sbom` uses the name of the folder.
  bom.metadata.component.name = name;
  mkdirSync(at(artefact), { recursive: true });
  writeFileSync(at(`${artefact}sbom.cdx.json`), json(bom));
  writeFileSync(at(`${artefact}licences.txt`), licenceList(bom));
}

/** `npm sbom --omit=dev` would drop bundled packages, and packages that production and development share. */
function ofRelease(bom: Bom, root: URL): Bom {
  const bundled = new Set(bundledPackages(root));
  const installed = lockedPackages(root).filter(({ isDev }) => !isDev);
  const kept = new Set([bom.metadata.component['bom-ref'], ...installed.map(({ ref }) => ref), ...bundled]);
  return {
    ...bom,
    components: bom.components
      .filter((component) => kept.has(component['bom-ref']))
      // npm marks the bundled packages, which are dev dependencies, as optional. Readers of a bill may skip optional packages.
      .map((component) =>
        bundled.has(component['bom-ref']) ? { ...component, scope: 'required' } : component,
      ),
    dependencies: bom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
}

const bundledPackages = (root: URL): string[] => packagesIn(new URL('dist/', root));

function lockedPackages(root: URL): { ref: string; isDev: boolean }[] {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock;
  return Object.entries(packages).map(([path, { name, version, dev = false }]) => ({
    ref: `${name ?? path.split('node_modules/').at(-1)}@${version}`,
    isDev: dev,
  }));
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function licenceList({ components }: Bom): string {
  const byLicence = new Map<string, string[]>();
  for (const { name, version, licenses = [] } of components) {
    const stated = licenses.map(
      ({ license, expression }) => license?.id ?? license?.name ?? expression ?? '',
    );
    const licence = stated.join(', ') || 'No licence stated: see the package';
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), `  ${name} ${version}`]);
  }
  return [...byLicence]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, packages]) => [licence, ...packages.sort(), ''].join('\n'))
    .join('\n');
}
