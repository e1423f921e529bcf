import { build, stop } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from './process.js';

const run = promisify(execFile);
const name = 'recruitment-gateway-client';

/** The typed client as a registry would deliver it, installed in a temporary folder. */
export interface PackedClient {
  /** The folder of an imaginary front-end. */
  folder: string;
  installed: string;
  files: string[];
  /** Bundles an entry point for a browser. */
  bundle: (entryPoint: string) => Promise<string>;
  /** Imports the bundle of an entry point in Node.js. */
  load: (entryPoint: string) => Promise<object>;
  remove: () => Promise<void>;
}

const peers = ['@apollo/client', '@graphql-typed-document-node', 'graphql', 'rxjs'];

/** The other packages that the form of the README imports. */
const others = ['react', 'react-dom', '@types/react', '@types/react-dom'];

/** Installs the client that `npm run build` has built. */
export async function installPackedClient(): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'front-end-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, name);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(root, 'schema/client'),
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await run('tar', ['-xzf', packed.filename], { cwd: folder });
  for (const scope of ['@apollo', '@types']) await mkdir(join(modules, scope), { recursive: true });
  await rename(join(folder, 'package'), installed);
  for (const peer of [...peers, ...others])
    await symlink(join(root, 'node_modules', peer), join(modules, peer));

  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');

  const bundle = async (entryPoint: string): Promise<string> => {
    const { outputFiles, metafile } = await build({
      entryPoints: [entryPoint],
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      target: 'es2022',
      logLevel: 'warning',
      metafile: true,
      // Use the installed package: the `paths` of the tests' `tsconfig.json` would lead to the package's source.
      nodePaths: [modules],
      external: ['node:*'],
      tsconfigRaw: {},
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const source = Object.keys(metafile.inputs).find((file) => file.includes('schema/client/'));
    if (source !== undefined)
      throw new Error(`${entryPoint} was bundled from ${source}, not from the package`);
    return outputFiles[0]?.text ?? '';
  };
  let count = 0;
  return {
    folder,
    installed,
    files: packed.files.map(({ path }) => path),
    bundle,
    load: async (entryPoint): Promise<object> => {
      const file = join(folder, `bundle-${(count += 1)}.mjs`);
      await writeFile(file, await bundle(entryPoint));
      const exported = (await import(pathToFileURL(file).href)) as object;
      return exported;
    },
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
