import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { brotli } from '../http/document-route.js';
import { licencesOf } from './licences.js';
import { type DocumentPage, documents, renderDocument } from './render-documents.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const assetsFolder = `${root}dist/pages/assets/`;
const listFile = `${root}dist/pages/assets.json`;
const browserFolder = `${root}src/pages/browser/`;

const pages = {
  explorer: `${browserFolder}explorer.tsx`,
  docs: `${browserFolder}docs.ts`,
  text: `${browserFolder}text.css`,
};

type BuiltFile = Pick<OutputFile, 'path' | 'contents'>;

/** GraphiQL's style sheets hold 380 kB of fonts as data URLs. Its fallbacks are the reader's own fonts. */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  setup: (build) =>
    build.onLoad({ filter: /graphiql.*\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'css',
    })),
};

const madeOf = await hashOfSources();
if ((await readMadeOf()) !== madeOf) await bundle();

async function bundle(): Promise<void> {
  const { outputFiles: ofPages, metafile } = await build({
    absWorkingDir: root,
    outdir: assetsFolder,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    logLevel: 'warning',
    metafile: true,
    entryNames: '[name]-[hash]',
    entryPoints: pages,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [withoutFonts],
  });
  const licences = {
    path: `${assetsFolder}licences-${madeOf.slice(0, 8)}.txt`,
    contents: Buffer.from(licencesOf(inputsOf(metafile))),
  };
  const files = [...ofPages, licences];
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
  const names = Object.keys(documents) as DocumentPage[];
  const texts = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await renderDocument(name)] as const)),
  );
  await writeFile(listFile, `${JSON.stringify({ ...list, documents: texts, madeOf }, null, 2)}\n`);
  // Delete old files last: a running gateway still serves pages that name them.
  const kept = new Set(files.flatMap(({ path }) => ['', '.br', '.gz'].map((end) => basename(path) + end)));
  const stale = (await readdir(assetsFolder)).filter((name) => !kept.has(name));
  await Promise.all(stale.map((name) => rm(assetsFolder + name)));
}

function inputsOf({ outputs }: Metafile): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return files.map((file) => resolve(root, file));
}

async function hashOfSources(): Promise<string> {
  const sources = (await readdir(browserFolder)).sort().map((name) => browserFolder + name);
  const hash = createHash('sha256');
  const builders = ['./bundle-pages.js', './licences.js', './render-documents.js'].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  const texts = Object.values(documents).map((path) => root + path);
  for (const file of [...sources, ...texts, `${root}package-lock.json`, ...builders])
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
  if (!file) throw new Error(`esbuild wrote no .${extension} file for ${name}`);
  return `./assets/${basename(file.path)}`;
}

async function store({ path, contents }: BuiltFile): Promise<void> {
  await writeFile(path, contents);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(contents, brotli));
  // Browsers accept Brotli only over HTTPS and from their own machine.
  await writeFile(`${path}.gz`, await promisify(gzip)(contents));
}
