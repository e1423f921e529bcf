import { readFile } from 'node:fs/promises';
import { sample } from './highlight.js';

/** The first call in several languages, each with its true answer, as tabs. `$BASE_URL` and `$TOKEN` stand for the reader's own. */
export async function renderStart(): Promise<string> {
  const text = await readFile(new URL('../../schema/examples/start.md', import.meta.url), 'utf8');
  const tabs = [...text.matchAll(/^## (\w+)\n\n```\w+\n([^]*?)```\n\n```json\n([^]*?)```$/gm)].map(
    ([, name = '', call = '', answer = '']) => ({ id: `start-${name.toLowerCase()}`, name, call, answer }),
  );
  const buttons = tabs.map(
    ({ id, name }) =>
      `<button type="button" role="tab" id="${id}-tab" aria-controls="${id}">${name}</button>`,
  );
  const panels = tabs.map(
    ({ id, call, answer }) => `<div role="tabpanel" id="${id}" aria-labelledby="${id}-tab" class="pair">
${sample(call.trimEnd()).replaceAll('$TOKEN', '<mark>$TOKEN</mark>')}
${sample(answer.trimEnd())}
</div>`,
  );
  return `<div role="tablist" aria-label="Language">${buttons.join('')}</div>\n${panels.join('\n')}`;
}
