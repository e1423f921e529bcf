import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './support/process.js';

const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '*.md'], { cwd: root });
const documents = listed
  .toString()
  .split('\0')
  .filter((file) => file && existsSync(join(root, file)));

/** A document without the links and headings in its code. */
const proseOf = (file: string): string =>
  readFileSync(join(root, file), 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));

/** The anchors of the headings, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[(.*?)\]\(.*?\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

function faultOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(dirname(document), path) : document;
  if (relative(root, join(root, target)).startsWith('..')) return 'leads out of the project';
  if (!existsSync(join(root, target))) return 'leads to no file';
  if (anchor === undefined) return undefined;
  if (statSync(join(root, target)).isDirectory() || !target.endsWith('.md'))
    return 'has an anchor, but leads to no Markdown file';
  return anchorsOf(target).includes(anchor) ? undefined : 'leads to no heading';
}

const linksOf = (document: string): string[] =>
  [...proseOf(document).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);

describe('the documents', () => {
  it.each(documents)('%s links only to files and headings that exist', (document) => {
    const faults = linksOf(document).flatMap((link) => {
      const fault = faultOf(document, link);
      return fault ? [`${link} ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  });

  it.each(documents)('%s names only scripts that package.json has', (document) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = readFileSync(join(root, document), 'utf8').matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g);
    expect([...named].map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  it('name every script of package.json, which names only files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const files = Object.values(scripts).flatMap((script) => script.match(/[\w/.-]+\.m?js\b/g) ?? []);
    const sources = files.map((file) => file.replace(/^dist(.*)\.js$/, 'src$1.ts'));
    expect(sources.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const text = documents.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    // npm itself runs `prepare`, and `npm run check` runs the `check:` scripts.
    const unnamed = Object.keys(scripts).filter(
      (name) =>
        !/^(prepare|check:)/.test(name) &&
        !new RegExp(`\\bnpm (run )?(--silent )?${name}(?![\\w:-])`).test(text),
    );
    expect(unnamed).toEqual([]);
  });

  it('have every room of src/ in the table of src/README.md', () => {
    const text = readFileSync(join(root, 'src/README.md'), 'utf8');
    const map = [...text.matchAll(/^\|([^|]*)\|/gm)].map(([, left]) => left).join();
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => name !== 'README.md' && !map.includes(`\`${name}\``));
    expect(rooms).toEqual([]);
  });
});
