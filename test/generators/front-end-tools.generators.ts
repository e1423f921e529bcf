import { expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolders } from '../support/own-folder.js';
import { ownGateway } from '../support/own-gateway.js';
import { freePort, root } from '../support/process.js';
import { until } from '../support/until.js';
import { frontEndFolder } from './front-end-folder.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const newFolder = ownFolders();
const gateway = ownGateway();

/** Without the variables of jest. */
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, NEXT_TELEMETRY_DISABLED: '1' };

const page = `'use client';
import { choices } from 'recruitment-gateway-client/forms';
import { useNewJobEdit } from 'recruitment-gateway-client/react';
export function Page() {
  const { field, save } = useNewJobEdit(() => Promise.reject(new Error()), { mediaPublicId: 'demo-media' });
  return <form onSubmit={save}><input {...field('name')} placeholder={choices.JobState[0].label.fr} /></form>;
}
`;

/** Runs the command of a package. */
async function runIn(path: string, command: string, ...options: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [command, ...options], {
    cwd: path,
    env: environment,
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
  const { path } = await frontEndFolder(newFolder());
  await writeFile(join(path, 'page.jsx'), page);
  await writeFile(join(path, 'index.html'), '<script type="module" src="/main.jsx"></script>');
  const main = `import { createRoot } from 'react-dom/client';
import { Page } from './page';
createRoot(document.body).render(<Page />);`;
  await writeFile(join(path, 'main.jsx'), main);
  await runIn(path, join(path, 'node_modules/vite/bin/vite.js'), 'build');
  expect(await textsIn(join(path, 'dist'))).toContain('Brouillon');
});

it('Next.js reads a job on the server and renders its form there, and no script has the token', async () => {
  const { path } = await frontEndFolder(newFolder());
  await mkdir(join(path, 'app'));
  const files = {
    'next.config.mjs': 'export default { typescript: { ignoreBuildErrors: true } };',
    'app/layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>;',
    'app/page.jsx': `import { Inputs } from '../inputs';
import { readJob } from '../read-job';
export const dynamic = 'force-dynamic';
export default async function Page() {
  const { GATEWAY, TOKEN } = process.env;
  return <Inputs job={await readJob(GATEWAY, TOKEN, 'acme-backend-engineer')} />;
}`,
    'inputs.jsx': `'use client';
import { useJobEdit } from 'recruitment-gateway-client/react';
export function Inputs({ job }) {
  const { field, save } = useJobEdit(() => Promise.reject(new Error()), job);
  return <form onSubmit={save}><input {...field('salary')} /></form>;
}`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  const next = join(path, 'node_modules/next/dist/bin/next');
  await runIn(path, next, 'build', '--webpack');
  const [port, token] = [await freePort(), await gateway.token()];
  const env = { ...environment, GATEWAY: `${gateway.url}/graphql`, TOKEN: token };
  const server = spawn(process.execPath, [next, 'start', '--port', String(port)], { cwd: path, env });
  let html = '';
  await until(async () => {
    html = await fetch(`http://127.0.0.1:${port}`).then(
      (reply) => reply.text(),
      () => '',
    );
    return html !== '';
  });
  server.kill();
  expect(html).toMatch(/<input [^>]*name="salary"[^>]* value="48 000 € – 58 000 €"/);
  expect(html + (await textsIn(join(path, '.next/static')))).not.toContain(token);
});

it('Jest with CommonJS loads the package with the setting of the README', async () => {
  const { path } = await frontEndFolder(newFolder());
  const test = `const { createElement } = require('react');
const { renderToString } = require('react-dom/server');
const { useNewJobEdit } = require('recruitment-gateway-client/react');
test('renders', () => {
  const Form = () => createElement('input', useNewJobEdit(null, { mediaPublicId: 'demo-media' }).field('name'));
  expect(renderToString(createElement(Form))).toContain('name="name"');
});`;
  await writeFile(join(path, 'package.json'), '{}');
  await writeFile(join(path, 'form.test.js'), test);
  await writeFile(
    join(path, 'babel.config.json'),
    '{ "plugins": ["@babel/plugin-transform-modules-commonjs"] }',
  );
  const readme = await readFile(join(root, 'schema/client/README.md'), 'utf8');
  const [, pattern = ''] = /transformIgnorePatterns: \['(.*?)'\]/.exec(readme) ?? [];
  const config = JSON.stringify({ transformIgnorePatterns: [pattern] });
  expect(await runIn(path, require.resolve('jest/bin/jest'), '--config', config)).toContain('1 passed');
});

it('GraphQL Code Generator makes types of scalars and enums for the documents of a front-end (Contract 1.4)', async () => {
  const { path, faultsOf } = await frontEndFolder(newFolder());
  const folder = join(path, 'own');
  await mkdir(join(folder, 'src'), { recursive: true });
  await symlink(join(path, 'node_modules'), join(folder, 'node_modules'));
  await rename(join(path, 'codegen.ts'), join(folder, 'codegen.ts'));
  const document = `query Pay($id: ID!) { node(id: $id) { ... on Job { expiresAt state salaryRange { minimum } jobPosting } } }`;
  await writeFile(
    join(folder, 'src/pay.ts'),
    `import { graphql } from './gql';
import { type PayQuery } from './gql/graphql';
export const pay = graphql(\`${document}\`);
type Paid = Extract<NonNullable<PayQuery['node']>, { state: unknown }>;
export const end = (job: Paid): string | null => job.expiresAt;
export const least = (job: Paid): string | null | undefined => job.salaryRange?.minimum;
export const posting = (job: Paid): unknown => job.jobPosting;
export const state = (job: Paid): 'draft' | 'published' | 'archived' => job.state;
`,
  );
  await runIn(folder, join(folder, 'node_modules/@graphql-codegen/cli/esm/bin.js'), '--silent');
  expect(faultsOf(['own/src/pay.ts'])).toEqual([]);
});
