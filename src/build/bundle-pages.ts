import { build, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { brotli } from '../http/document-route.js';
import { assetsFolder, listFile, type PageAssets } from '../pages/page-assets.js';
import { licencesOf } from './licences.js';
import { type DocumentPage, documents, renderDocument } from './render-documents.js';
import { renderReference } from './render-reference.js';
import { sample } from './highlight.js';
import { tabs } from './tabs.js';
import { textsOf } from './search-index.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const pages = {
  explorer: 'src/pages/browser/explorer.tsx',
  site: 'src/pages/browser/site.ts',
};

/** GraphiQL's style sheets hold 380 kB of fonts as data URLs, and name them. `explorer.css` names the fonts of all pages instead. */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  setup: (build) =>
    build.onLoad({ filter: /graphiql.*\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /@font-face\s*\{[^}]*\}|--font-family[a-z-]*:[^;]*;/g,
        '',
      ),
      loader: 'css',
    })),
};

const names = Object.keys(documents) as DocumentPage[];
const rendered = await Promise.all(names.map(async (name) => [name, await renderDocument(name)] as const));
const written = {
  ...(Object.fromEntries(rendered) as Record<DocumentPage, string>),
  docs: await renderReference(),
  start: await renderStart(),
};

/** A file whose name has the hash of its content. */
function asset(name: string, text: string) {
  const [start, end] = name.split('.');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return { path: `${assetsFolder}${start}-${hash}.${end}`, contents: Buffer.from(text) };
}

// In this order, where texts fit equally well.
const searched = ['errors', 'docs', 'contract', 'client', 'handbook', 'changelog'] as const;
const texts = searched.flatMap((page) => textsOf(page, written[page]));
const searchIndex = asset('search.json', JSON.stringify(texts));

const { outputFiles, metafile } = await build({
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
  define: {
    'process.env.NODE_ENV': '"production"',
    searchIndex: JSON.stringify(basename(searchIndex.path)),
  },
  plugins: [withoutFonts],
});
const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
const licences = asset('licences.txt', licencesOf(inputs.map((file) => resolve(root, file))));
const files = [...outputFiles, licences, searchIndex];
await mkdir(assetsFolder, { recursive: true });
// A running gateway may be reading a file that is there already, and its name holds the hash of its content.
const there = new Set(await readdir(assetsFolder));
await Promise.all(files.filter(({ path }) => !there.has(`${basename(path)}.gz`)).map(store));
const list = Object.fromEntries(Object.entries(pages).map(([name, source]) => [name, assetsOf(source)]));
const all = { ...list, documents: written };
await writeFile(listFile, `${JSON.stringify(all, null, 2)}\n`);
// Delete old files last: a running gateway still serves pages that name them.
const kept = new Set(files.flatMap(({ path }) => ['', '.br', '.gz'].map((end) => basename(path) + end)));
const stale = (await readdir(assetsFolder)).filter((name) => !kept.has(name));
await Promise.all(stale.map((name) => rm(assetsFolder + name)));

/** The script and style sheet that esbuild made of a page. */
function assetsOf(source: string): PageAssets {
  const outputs = Object.entries(metafile.outputs);
  const [file, { cssBundle }] = outputs.find(([, { entryPoint }]) => entryPoint === source)!;
  return { script: urlOf(file), style: urlOf(cssBundle!), licences: urlOf(licences.path) };
}

function urlOf(path: string): string {
  return `./assets/${basename(path)}`;
}

async function store({ path, contents }: { path: string; contents: Uint8Array }): Promise<void> {
  await writeFile(path, contents);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(contents, brotli));
  // Browsers accept Brotli only over HTTPS and from their own machine. Written last: it says that the others are whole.
  await writeFile(`${path}.gz`, await promisify(gzip)(contents));
}

/** The first call in several languages, each with its true answer, as tabs. `$BASE_URL` and `$TOKEN` stand for the reader's own. */
async function renderStart(): Promise<string> {
  const text = await readFile(new URL('../../schema/examples/start.md', import.meta.url), 'utf8');
  const calls = [...text.matchAll(/^## (\w+)\n\n```\w+\n([^]*?)```\n\n```json\n([^]*?)```$/gm)];
  const panels = calls.map(([, name = '', call = '', answer = '']) => ({
    name,
    html: `<div class="pair">
${sample(call.trimEnd()).replaceAll('$TOKEN', '<mark>$TOKEN</mark>')}
${sample(answer.trimEnd())}
</div>`,
  }));
  return tabs('start', 'Language', panels, 'start');
}
