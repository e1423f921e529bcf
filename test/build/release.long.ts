import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { licencesOf } from '../../src/build/licences.js';
import { releaseCommand } from '../../src/build/release.js';
import { root } from '../support/process.js';
import { ownFolder } from '../support/own-folder.js';

const run = promisify(execFile);

/** A clean copy of the project in its own git repository. */
const copy = ownFolder();
const at = (file: string): string => join(copy, file);
const read = (file: string): Promise<string> => readFile(at(file), 'utf8');
const readJson = async (file: string): Promise<Record<string, unknown>> =>
  JSON.parse(await read(file)) as Record<string, unknown>;
const git = (...given: string[]) => run('git', given, { cwd: copy });
const release = (...argv: string[]) => releaseCommand(pathToFileURL(`${copy}/`))(argv);

async function importedByPages(): Promise<string[]> {
  const folder = at('src/pages/browser');
  const sources = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  );
  const imports = sources.flatMap((text) => [
    ...text.matchAll(/^(?:import|\} from|@import)(?! type)[^']*'((?:@[^/']+\/)?[^./'][^/']*)/gm),
  ]);
  return [...new Set(imports.map(([, name = '']) => name))];
}

let next: string;

beforeAll(async () => {
  const files = [
    ...[
      'package.json',
      'package-lock.json',
      'CHANGELOG.md',
      'README.md',
      'SECURITY.md',
      'deploy',
      'LICENSE',
      'codegen.yml',
    ],
    'schema',
    ...['src', 'test', 'dist'],
  ];
  await Promise.all(files.map((file) => cp(join(root, file), at(file), { recursive: true })));
  await symlink(join(root, 'node_modules'), at('node_modules'));
  await writeFile(at('.gitignore'), 'node_modules\ndist\nrelease\n');
  const log = (await read('CHANGELOG.md')).replace(/\n## Unreleased\n/, '\n');
  await writeFile(
    at('CHANGELOG.md'),
    log.replace(/\n## |$/, (heading) => `\n## Unreleased\n\nSomething new.\n${heading}`),
  );
  await git('init', '-q');
  await git('config', 'user.name', 'test');
  await git('config', 'user.email', 'test@mail.example');
  await git('add', '-A');
  await git('commit', '-qm', 'all');
  await git('tag', 'unreleased');
  const { version } = await readJson('package.json');
  const [present = '', prerelease] = String(version).split('-');
  next = prerelease ? present : `${Number(present.split('.')[0]) + 1}.0.0`;
});

describe('npm run release', () => {
  beforeEach(async () => {
    await git('reset', '-q', '--hard', 'unreleased');
    await git('clean', '-dfq');
  });

  it.each(['1', 'v9.0.0', '9.0', 'next', ''])('refuses %p, which is not a version', async (version) => {
    const { stderr, exitCode } = await release(version);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Give one version, such as 1.2.0.')]);
  });

  it.each(['0.0.1', '0.1.0'])('refuses %s, which is not higher than the current version', async (version) => {
    expect((await release(version)).stderr).toContain(`${version} is not higher than`);
  });

  it('refuses a working tree with changes, and writes nothing', async () => {
    await appendFile(at('README.md'), 'More.\n');
    expect((await release(next)).stderr).toContain('The working tree has changes');
    const { stdout } = await git('status', '--porcelain');
    expect(stdout).toBe(' M README.md\n');
  });

  it('names the files that a killed run changed, even if package.json has the new version', async () => {
    await writeFile(
      at('package.json'),
      JSON.stringify({ ...(await readJson('package.json')), version: next }),
    );
    expect((await release(next)).stderr).toBe(
      'The working tree has changes; commit or drop them first:\n M package.json',
    );
  });

  it('writes the version, the schema, the REST examples, the date and an SBOM with licences (Contract 1.3)', async () => {
    const { stdout, stderr, exitCode } = await release(next);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('nothing is committed, pushed or published');
    const lock = await readJson('package-lock.json');
    const openApi = await readJson('schema/openapi.json');
    const versions = [
      (await readJson('package.json')).version,
      lock.version,
      (lock.packages as Record<string, { version: string }>)['']?.version,
      (await readJson('schema/client/package.json')).version,
      (openApi.info as { version: string }).version,
    ];
    expect(versions).toEqual(Array(versions.length).fill(next));
    expect(await read('deploy/Containerfile')).toContain(
      `\nLABEL org.opencontainers.image.version=${next}\n`,
    );
    const examples = ['update-job.http', 'update-job.answer.http', 'logo.png'];
    for (const file of ['schema.graphql', ...examples.map((each) => `examples/operations/${each}`)])
      expect(await read(`schema/released/${file}`)).toBe(await read(`schema/${file}`));
    // An example of GraphQL, which also has a file `.http`.
    await expect(read('schema/released/examples/operations/job.answer.http')).rejects.toThrow('ENOENT');
    const names = (await readJson('schema/released/names.json')) as Record<string, string[]>;
    expect([names.paths, names.settings]).toEqual([
      expect.arrayContaining(['POST /jobs']),
      expect.arrayContaining(['PORT']),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await read('CHANGELOG.md')).toContain(`\n## ${next} (${today})\n\nSomething new.\n`);

    const bom = (await readJson('release/sbom.cdx.json')) as {
      bomFormat: string;
      metadata: { component: { version: string } };
      components: { name: string; version: string; licenses: unknown[] }[];
    };
    expect([bom.bomFormat, bom.metadata.component.version]).toEqual(['CycloneDX', next]);
    const { dependencies } = (await readJson('package.json')) as Record<string, Record<string, string>>;
    const deployed = Object.entries(dependencies ?? {}).map(([name, version]) => ({ name, version }));
    const bundled = [...(await importedByPages()), 'codemirror'].map((name) => ({ name }));
    for (const each of [...deployed, ...bundled])
      expect(bom.components).toContainEqual(
        expect.objectContaining({ ...each, licenses: [expect.anything()] }),
      );
  });

  it('prints the commands for a commit and a tag that git describe finds, and refuses to write a version twice', async () => {
    const { stdout } = await release(next);
    await run('sh', ['-c', stdout.slice(stdout.indexOf('git add'))], { cwd: copy });
    expect((await git('describe')).stdout).toBe(`v${next}\n`);
    expect((await release(next)).stderr).toContain('is not higher than');
  });
});

describe('npm pack', () => {
  it('adds the SBOM and every version of package-lock.json that production installs', async () => {
    await run(process.execPath, ['dist/build/prepack.js'], { cwd: copy });
    const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: copy });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['npm-shrinkwrap.json', 'release/sbom.cdx.json', 'SECURITY.md']),
    );
    const packagesOf = async (file: string) =>
      (await readJson(file)).packages as Record<string, { dev?: true; devDependencies?: object }>;
    const [{ '': own, ...locked }, { '': packed, ...shrunk }] = [
      await packagesOf('package-lock.json'),
      await packagesOf('npm-shrinkwrap.json'),
    ];
    expect(shrunk).toEqual(Object.fromEntries(Object.entries(locked).filter(([, { dev }]) => !dev)));
    expect({ ...packed, devDependencies: own?.devDependencies }).toEqual(own);
    await rm(at('npm-shrinkwrap.json'));
  });
});

describe('licences in dist', () => {
  const readRoot = (file: string) => readFile(join(root, file), 'utf8');

  it('include the licence of every package of the pages, word for word', async () => {
    const { explorer } = JSON.parse(await readRoot('dist/pages/assets.json')) as {
      explorer: { licences: string };
    };
    const licences = await readRoot(join('dist/pages', explorer.licences));
    for (const name of await importedByPages())
      expect(licences).toContain(await readRoot(`node_modules/${name}/LICENSE`));
    for (const file of ['react/LICENSE', 'codemirror/LICENSE'])
      expect(licences).toContain(await readRoot(`node_modules/${file}`));
  });

  it('cover the code and data of the French places, and name the data’s sources', async () => {
    const licences = await readRoot('schema/places/licences.txt');
    expect(licences).toContain(await readRoot('node_modules/@etalab/decoupage-administratif/LICENSE'));
    expect(licences).toContain('Données : [Licence Ouverte]');
    expect(licences).toContain('Code Officiel Géographique');
  });

  it('stop the build if a package states no licence', async () => {
    const folder = join(copy, 'node_modules.without/node_modules/@owner/nothing');
    await mkdir(folder, { recursive: true });
    const build = (manifest: object) => async () => {
      await writeFile(
        join(folder, 'package.json'),
        JSON.stringify({ name: '@owner/nothing', version: '1.2.3', ...manifest }),
      );
      return licencesOf([join(root, 'src/main.ts'), join(folder, 'lib/index.js')]);
    };
    await expect(build({})()).rejects.toThrow('@owner/nothing 1.2.3 states no licence');
    expect(await build({ license: 'MIT' })()).toMatch(/^=== @owner\/nothing@1\.2\.3 ===\n\nMIT\n/);
    await writeFile(join(folder, 'COPYING'), 'Copy it.');
    expect(await build({})()).toBe('=== @owner/nothing@1.2.3 ===\n\nCopy it.');
  });
});

describe('version and name', () => {
  it('agree in the package, the lock file, the client, openapi.json and the image', async () => {
    const readRoot = async (file: string) =>
      JSON.parse(await readFile(join(root, file), 'utf8')) as Record<string, unknown>;
    const [gateway, lock, client, openApi] = await Promise.all(
      ['package.json', 'package-lock.json', 'schema/client/package.json', 'schema/openapi.json'].map(
        readRoot,
      ),
    );
    const info = openApi?.info as { title: string; version: string };
    const [, label] =
      /image\.version=(.*)/.exec(await readFile(join(root, 'deploy/Containerfile'), 'utf8')) ?? [];
    expect([lock?.version, client?.version, info.version, label]).toEqual(Array(4).fill(gateway?.version));
    const name = String(gateway?.name);
    expect([lock?.name, client?.name]).toEqual([name, `${name}-client`]);
    expect(info.title).toBe('Recruitment gateway');
  });
});
