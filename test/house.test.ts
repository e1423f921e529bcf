import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '../src/metrics/metrics.js';
import { settingsTable } from '../src/settings/settings-table.js';

const root = new URL('../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const codeOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/node_modules|generated/.test(file))
      .map((file) => [folder + file, read(folder + file)]),
  );
const source = codeOf('src/');
const sourceBut = (...files: string[]): string =>
  [...source].flatMap(([file, text]) => (files.includes(file) ? [] : [text])).join('\n');

it('git checks out files with LF even if core.autocrlf is true, as on Windows', () => {
  const copy = mkdtempSync(join(tmpdir(), 'gateway-crlf-'));
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'core.autocrlf=true', ...args], { cwd: copy });
    for (const file of ['.gitattributes', 'package.json'])
      copyFileSync(new URL(file, root), join(copy, file));
    git('init', '--quiet');
    git('add', '.');
    rmSync(join(copy, 'package.json'));
    git('checkout', '--', '.');
    expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(read('package.json'));
  } finally {
    rmSync(copy, { recursive: true });
  }
});

describe('the parts of the project', () => {
  it('include no setting that only its parser reads', () => {
    const others = sourceBut('src/settings/settings-table.ts', 'src/settings/settings.ts');
    const isRead = (name: string) =>
      new RegExp(
        `\\bsettings\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(: (Pick<)?\\w*Settings\\b| = settings\\b|: Dependencies\\['settings'\\])`,
      ).test(others);
    const unread = Object.keys(settingsTable).filter((name) => !isRead(name));
    expect(unread).toEqual([]);
  });

  it('include no metric that only its declaration uses', () => {
    const others = sourceBut('src/metrics/metrics.ts');
    const isFed = (name: string) =>
      new RegExp(`\\bmetrics\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}: (Pick<)?Metrics\\b`).test(others);
    expect(Object.keys(createMetrics()).filter((name) => !isFed(name))).toEqual([]);
  });

  it('include every file that package.json runs, and a document that names each script', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const files = Object.values(scripts).flatMap((script) => script.match(/[\w/.-]+\.m?js\b/g) ?? []);
    const sources = files.map((file) => file.replace(/^dist(.*)\.js$/, 'src$1.ts'));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
    const readmes = ['README.md', 'CONTRIBUTING.md', 'deploy/README.md'].map(read).join('\n');
    const unnamed = Object.keys(scripts).filter(
      (name) => !new RegExp(`\\bnpm (run )?(--silent )?${name}(?![\\w:-])`).test(readmes),
    );
    // npm itself runs `prepare`, and `npm run check` runs the `check:` scripts.
    expect(unnamed.filter((name) => name !== 'prepare' && !name.startsWith('check:'))).toEqual([]);
  });

  it('include every test file that CONTRIBUTING.md or the mutants name', () => {
    const names = read('CONTRIBUTING.md') + read('test/mutants/targets.mjs');
    const files = names.match(/test\/[\w/.-]+\.test\.ts/g) ?? [];
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  it('include nothing in src/ that the table or the layers of src/README.md lack', () => {
    const rooms = readdirSync(new URL('src/', root), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => name !== 'README.md');
    const text = read('src/README.md');
    const map = [...text.matchAll(/^\|([^|]*)\|/gm)].map(([, left]) => left).join();
    const floors = text.match(/```text\n([^`]+)/)?.[1]?.split(/\s+/);
    expect(rooms.filter((name) => !map.includes(`\`${name}\``) || !floors?.includes(name))).toEqual([]);
  });
});
