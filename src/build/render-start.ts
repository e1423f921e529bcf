import { readFile } from 'node:fs/promises';
import { sample } from './highlight.js';
import { tabs } from './tabs.js';

/** The first call in several languages, each with its true answer, as tabs. `$BASE_URL` and `$TOKEN` stand for the reader's own. */
export async function renderStart(): Promise<string> {
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
