import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { faultsOf, inBrowser } from '../support/front-end-types.js';
import { root } from '../support/process.js';

const run = promisify(execFile);

/** Where `npm run test:generators` installs the packages of this folder. */
const installed = join(root, 'node_modules/.cache/generators/node_modules');

export interface FrontEndFolder {
  path: string;
  /** Bundles a file for a browser. */
  bundle: (file: string) => Promise<string>;
  /** Imports the bundle of a file in Node.js. */
  load: (file: string) => Promise<object>;
  faultsOf: (files: string[]) => string[];
}

/** Makes a front-end with the recipes, the packages of this folder, and the packed client as a registry would deliver it. */
export async function frontEndFolder(path: string): Promise<FrontEndFolder> {
  const modules = join(path, 'node_modules');
  await mkdir(modules, { recursive: true });
  for (const name of await readdir(installed)) await symlink(join(installed, name), join(modules, name));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', path], {
    cwd: join(root, 'schema/client'),
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  await run('tar', ['-xzf', packed.filename], { cwd: path });
  await rename(join(path, 'package'), join(modules, 'recruitment-gateway-client'));
  await cp(join(modules, 'recruitment-gateway-client/recipes'), path, { recursive: true });
  async function bundle(file: string): Promise<string> {
    const { outputFiles } = await build({
      entryPoints: [join(path, file)],
      ...{ bundle: true, write: false, outdir: path, format: 'esm', jsx: 'automatic', target: 'es2022' },
      tsconfigRaw: {},
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    return outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  }
  return {
    path,
    bundle,
    async load(file) {
      const bundled = join(path, `${file}.mjs`);
      await writeFile(bundled, await bundle(file));
      return (await import(pathToFileURL(bundled).href)) as object;
    },
    faultsOf: (files) =>
      faultsOf(
        files.map((file) => join(path, file)),
        {
          ...inBrowser,
          module: ts.ModuleKind.ESNext,
          moduleResolution: ts.ModuleResolutionKind.Bundler,
          jsx: ts.JsxEmit.ReactJSX,
        },
      ),
  };
}
