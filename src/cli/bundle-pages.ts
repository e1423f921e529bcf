import { build, type BuildOptions, type Metafile, type OutputFile } from 'esbuild';
import { marked } from 'marked';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { licencesOf } from '../release/licences.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const assetsFolder = `${root}dist/pages/assets/`;
const listFile = `${root}dist/pages/assets.json`;
const browserFolder = `${root}src/pages/browser/`;

const pages = {
  explorer: `${browserFolder}explorer.tsx`,
  docs: `${browserFolder}docs.ts`,
  text: `${browserFolder}text.css`,
};
const contractFile = `${root}schema/contract.md`;

/** The editor's workers: each runs in a thread of the browser, so each is a script of its own. */
const workers = {
  editor: 'monaco-editor/esm/vs/editor/editor.worker.js',
  json: 'monaco-editor/esm/vs/language/json/json.worker.js',
  graphql: 'monaco-graphql/esm/graphql.worker.js',
};

type BuiltFile = Pick<OutputFile, 'path' | 'contents'>;

const common = {
  absWorkingDir: root,
  outdir: assetsFolder,
  write: false,
  bundle: true,
  minify: true,
  target: 'es2022',
  logLevel: 'warning',
  metafile: true,
  entryNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
} satisfies BuildOptions;

const madeOf = await hashOfSources();
if ((await readMadeOf()) !== madeOf) await bundle();

async function bundle(): Promise<void> {
  const { outputFiles: ofWorkers, metafile: inWorkers } = await build({
    ...common,
    entryPoints: workers,
    format: 'iife',
  });
  const workerUrls = Object.fromEntries(
    Object.keys(workers).map((name) => [name, urlOf(ofWorkers, name, 'js')]),
  );
  const { outputFiles: ofPages, metafile: inPages } = await build({
    ...common,
    entryPoints: pages,
    format: 'esm',
    jsx: 'automatic',
    loader: { '.ttf': 'file', '.woff2': 'file' },
    define: { ...common.define, WORKER_URLS: JSON.stringify(workerUrls) },
  });
  const licences = {
    path: `${assetsFolder}licences-${madeOf.slice(0, 8)}.txt`,
    contents: Buffer.from(licencesOf([inWorkers, inPages].flatMap(inputsOf))),
  };
  const files = [...ofWorkers, ...ofPages, licences];
  await mkdir(assetsFolder, { recursive: true });
  await Promise.all(files.map(store));
  const list = Object.fromEntries(
    Object.keys(pages).map((name) => [
      name,
      {
        ...(name !== 'text' && { script: urlOf(ofPages, name, 'js') }),
        style: urlOf(ofPages, name, 'css'),
        licences: urlOf([licences], 'licences', 'txt'),
      },
    ]),
  );
  const contract = await renderContract();
  await writeFile(listFile, `${JSON.stringify({ ...list, contract, madeOf }, null, 2)}\n`);
  // Last, so that a gateway that is still running finds the files that its pages name for as long as possible.
  const kept = new Set(files.flatMap(({ path }) => [basename(path), `${basename(path)}.br`]));
  const stale = (await readdir(assetsFolder)).filter((name) => !kept.has(name));
  await Promise.all(stale.map((name) => rm(assetsFolder + name)));
}

/** Every file of which something is in a bundle. */
function inputsOf({ outputs }: Metafile): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return files.map((file) => resolve(root, file));
}

/** The contract as HTML: each statement and each heading has its number for an id, and leads to itself. */
async function renderContract(): Promise<string> {
  const text = await readFile(contractFile, 'utf8');
  const numbered = text
    .replace(/^- \*\*(\d+(?:\.\d+)*)\*\* /gm, '- <a id="$1" href="#$1"><strong>$1</strong></a> ')
    .replace(/^(#+) (\d+(?:\.\d+)*) /gm, '$1 <a id="$2" href="#$2">$2</a> ');
  const html = marked.parse(numbered, { async: false });
  return (
    html
      // A table that is too wide scrolls, and must do so with the keys, too.
      .replaceAll('<table>', '<table tabindex="0">')
      // The list of proofs is for whoever has the sources.
      .replace(/<a href="contract-proofs\.md">(.*?)<\/a>/g, '$1')
  );
}

/** What the bundles are made of, as one hash: the sources here, and the versions that are installed. */
async function hashOfSources(): Promise<string> {
  const sources = (await readdir(browserFolder)).sort().map((name) => browserFolder + name);
  const hash = createHash('sha256');
  const builders = ['./bundle-pages.js', '../release/licences.js'].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  for (const file of [...sources, contractFile, `${root}package-lock.json`, ...builders])
    hash.update(await readFile(file));
  return hash.digest('hex');
}

async function readMadeOf(): Promise<unknown> {
  const text = await readFile(listFile, 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { madeOf?: unknown }).madeOf;
}

function urlOf(files: readonly BuiltFile[], name: string, extension: string): string {
  const file = files.find(
    ({ path }) => basename(path).startsWith(`${name}-`) && path.endsWith(`.${extension}`),
  );
  if (!file) throw new Error(`nothing was made of ${name}`);
  return `./assets/${basename(file.path)}`;
}

/** Writes a file and a smaller copy beside it. Quality 6 is nearly the smallest, in a tenth of the time. */
async function store({ path, contents }: BuiltFile): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  await writeFile(path, contents);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(contents, { params }));
}
