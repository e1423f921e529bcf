import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { faultsOf, inBrowser } from '../support/front-end-types.js';
import { root } from '../support/process.js';

const run = promisify(execFile);

/** Where `npm run test:generators` installs the packages of this folder. */
const installed = join(root, 'node_modules/.cache/generators');

export interface FrontEndFolder {
  path: string;
  /** Bundles a file for a browser. */
  bundle: (file: string) => Promise<string>;
  faultsOf: (files: string[]) => string[];
}

/** A front-end with the recipes, beside the packages of this folder, and with the packed client as a registry would deliver it. */
export async function frontEndFolder(name = 'front-end'): Promise<FrontEndFolder> {
  const path = join(installed, name);
  const modules = join(path, 'node_modules');
  await rm(path, { recursive: true, force: true });
  await mkdir(modules, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', path], {
    cwd: join(root, 'schema/client'),
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  await run('tar', ['-xzf', packed.filename], { cwd: path });
  await rename(join(path, 'package'), join(modules, 'recruitment-gateway-client'));
  await cp(join(modules, 'recruitment-gateway-client/recipes'), path, { recursive: true });
  return {
    path,
    async bundle(file) {
      const { outputFiles } = await build({
        entryPoints: [join(path, file)],
        ...{ bundle: true, write: false, outdir: path, format: 'esm', jsx: 'automatic', target: 'es2022' },
        tsconfigRaw: {},
        define: { 'process.env.NODE_ENV': '"production"' },
      });
      return outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
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
