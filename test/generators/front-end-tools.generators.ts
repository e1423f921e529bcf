import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { frontEndFolder } from './front-end-folder.js';

const run = promisify(execFile);

const page = `'use client';
import { choices } from 'recruitment-gateway-client/forms';
import { useNewJobEdit } from 'recruitment-gateway-client/react';
export function Page() {
  const { field, save } = useNewJobEdit(() => Promise.reject(new Error()), { mediaPublicId: 'demo-media' });
  return <form onSubmit={save}><input {...field('name')} placeholder={choices.JobState[0].label.fr} /></form>;
}
`;

/** Runs the command of a package without the variables of jest. */
async function runIn(path: string, command: string, ...options: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NEXT_TELEMETRY_DISABLED: '1' };
  const { stdout, stderr } = await run(process.execPath, [command, ...options], {
    cwd: path,
    env: env,
  });
  return stdout + stderr;
}

/** The texts of all files of a folder. */
async function textsIn(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  return texts.join('\n');
}

it('Vite builds a page with a form, without a setting', async () => {
  const { path } = await frontEndFolder('vite');
  await writeFile(join(path, 'page.jsx'), page);
  await writeFile(join(path, 'index.html'), '<script type="module" src="/main.jsx"></script>');
  const main = `import { createRoot } from 'react-dom/client';
import { Page } from './page';
createRoot(document.body).render(<Page />);`;
  await writeFile(join(path, 'main.jsx'), main);
  await runIn(path, join(path, '../node_modules/vite/bin/vite.js'), 'build');
  expect(await textsIn(join(path, 'dist'))).toContain('Brouillon');
});
