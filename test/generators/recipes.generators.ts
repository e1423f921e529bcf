import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Page } from 'playwright-core';
import { smallPng } from '../company/logo/test-images.js';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ownFolder } from '../support/own-folder.js';
import { graphql } from '../support/requests.js';
import { serveSite, type Site } from '../support/site.js';
import { until } from '../support/until.js';
import { type FrontEndFolder, frontEndFolder } from './front-end-folder.js';

const run = promisify(execFile);

const main = `
import { ApolloProvider } from '@apollo/client/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { print } from 'graphql';
import { RelayEnvironmentProvider } from 'react-relay';
import { fetchQuery } from 'relay-runtime';
import { JobsDocument } from 'recruitment-gateway-client';
import { Provider } from 'urql';
import * as apollo from './connect';
import { CompanyForm } from './company-form';
import { Field, Status } from './field';
import { JobForm } from './job-form';
import { JobList } from './job-list';
import { NewJob } from './new-job';
import * as request from './request';
import formQuery from './src/__generated__/JobsFormQuery.graphql';
import * as relay from './src/Jobs.built';
import * as tanstack from './tanstack';
import * as urql from './urql';

const given = new URLSearchParams(location.search);
const [client, uri, token] = ['client', 'uri', 'token'].map((name) => given.get(name));
const publicId = 'acme-backend-engineer';

const clients = {
  apollo: apollo.connect,
  urql: urql.connect,
  relay: relay.connect,
  tanstack: (uri, token) => request.connect(uri, async () => token),
  /** Rejects with what it got, which is no Error. */
  plain: (uri, token) => async (document, variables) => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: print(document), variables });
    const reply = await (await fetch(uri, { method: 'POST', headers, body })).json();
    if (reply.errors) throw reply;
    return reply.data;
  },
};
const connected = clients[client](uri, token);
/** Another part of the page reads the job. */
window.readElsewhere = {
  apollo: () => connected.query({ query: JobsDocument, variables: { mediaPublicId: 'demo-media' } }),
  urql: () => connected.query(JobsDocument, { mediaPublicId: 'demo-media' }).toPromise(),
  relay: () => fetchQuery(connected, formQuery, { publicId }).toPromise(),
  tanstack: () => connected(JobsDocument, { mediaPublicId: 'demo-media' }),
}[client];

function Toggled({ children }) {
  const [isShown, show] = useState(true);
  return <><button onClick={() => show(!isShown)}>Open or close</button>{isShown && children}</>;
}
function Recipes() {
  const [opened, open] = useState(null);
  const [isNew, begin] = useState(false);
  const [isCompany, openCompany] = useState(false);
  return <><JobList media="demo-media" onOpen={open} />
    {opened && <Toggled><JobForm {...opened} /></Toggled>}
    {isCompany ? <CompanyForm media="demo-media" company="acme" /> : <button onClick={() => openCompany(true)}>Acme</button>}
    {isNew ? <NewJob media="demo-media" company="acme" /> : <button onClick={() => begin(true)}>New job</button>}</>;
}
function FetchedForm() {
  const { data } = tanstack.useJob(connected, publicId);
  return data?.job ? <FetchedInputs key={data.job.id} job={data.job} /> : null;
}
function FetchedInputs({ job }) {
  const form = tanstack.useFetchedJobEdit(connected, job);
  return <form onSubmit={form.save}>
    <Field form={form} name="salary" label="Salary" /><Field form={form} name="managerEmails" label="Managers" />
    <button>Save</button><Status form={form} /></form>;
}
const views = {
  apollo: () => <ApolloProvider client={connected}><Recipes /></ApolloProvider>,
  urql: () => <Provider value={connected}>
    <urql.JobList media="demo-media" /><Toggled><urql.JobForm publicId={publicId} /></Toggled></Provider>,
  relay: () => <RelayEnvironmentProvider environment={connected}><Suspense>
    <relay.JobList media="demo-media" /><Toggled><relay.JobForm publicId={publicId} /></Toggled>
    </Suspense></RelayEnvironmentProvider>,
  tanstack: () => <QueryClientProvider client={new QueryClient()}>
    <li>The list is not in the recipe.</li><Toggled><FetchedForm /></Toggled></QueryClientProvider>,
};
views.plain = views.tanstack;
createRoot(document.body).render(<StrictMode>{views[client]()}</StrictMode>);
`;

const path = ownFolder();
let folder: FrontEndFolder;
let recipes: string[];
beforeAll(async () => {
  folder = await frontEndFolder(path);
  const files = await readdir(join(path, 'node_modules/recruitment-gateway-client/recipes'), {
    recursive: true,
  });
  recipes = files.filter((name) => /\.tsx?$/.test(name));
  for (const file of recipes.map((name) => join(path, name))) {
    const code = await readFile(file, 'utf8');
    // Two jobs are enough for a page.
    await writeFile(file, code.replace(/\b20\b/g, '2'));
  }
  await run(process.execPath, [join(path, 'node_modules/relay-compiler/cli.js'), 'relay.config.json'], {
    cwd: path,
  });
});

/** Replaces each document with an import of its artifact, as the Relay plugin of a bundler does. */
const withArtifacts = (code: string): string =>
  code.replace(
    /graphql`\s*(?:query|fragment|mutation) (\w+)[^`]*`/g,
    (_, name: string) => `require('./__generated__/${name}.graphql')`,
  );

it('the recipes of the client compile', () => {
  expect(folder.faultsOf(recipes)).toEqual([]);
});

it('the recipe for Vue merges what a colleague saved, and tells Vue of each change (Contract 6.1.2)', async () => {
  const gateway = await startTestGateway({ ARCHIVER: 'off' });
  await writeFile(
    join(path, 'vue-main.ts'),
    `import { Client, fetchExchange } from '@urql/core';
import urql from '@urql/vue';
import { JobFormDocument, UpdateJobDocument } from 'recruitment-gateway-client';
import { createApp, effectScope, watch } from 'vue';
import { useJobEdit } from './vue';
export async function play(url, token) {
const fetchOptions = { headers: { authorization: 'Bearer ' + token } };
const client = new Client({ url, preferGetMethod: false, fetchOptions, exchanges: [fetchExchange] });
const { data } = await client.query(JobFormDocument, { publicId: 'acme-backend-engineer' });
const app = createApp({}).use(urql, client);
const salaries = [];
const form = app.runWithContext(() => effectScope(true).run(() => useJobEdit(data.job)));
watch(() => form.edit.value.get('salary'), (salary) => salaries.push(salary), { flush: 'sync' });
await client.mutation(UpdateJobDocument, { input: { jobPublicId: data.job.publicId, salary: 'Theirs' } });
form.edit.value.set('localisation', 'Paris');
await form.save();
return [salaries, form.edit.value.get('localisation'), form.edit.value.version, form.edit.value.isDirty];
}`,
  );
  const { play } = (await folder.load('vue-main.ts')) as {
    play: (url: string, token: string) => Promise<unknown>;
  };
  const played = await play(`${gateway.url}/graphql`, await gateway.token());
  await gateway.stop();
  expect(played).toEqual([['Theirs'], 'Paris', 3, false]);
});

describeInBrowser('the recipes of the client, in React', () => {
  let gateway: TestGateway;
  let site: Site;
  let page: Page;
  let faults: string[];
  const browser = ownBrowser();

  beforeAll(async () => {
    const jobs = await readFile(join(path, 'src/Jobs.tsx'), 'utf8');
    await writeFile(join(path, 'src/Jobs.built.tsx'), withArtifacts(jobs));
    await writeFile(join(path, 'main.tsx'), main);
    const script = await folder.bundle('main.tsx');
    const html = '<!doctype html><body></body><script type="module" src="/page.js"></script>';
    site = await serveSite({ script, html });
    gateway = await startTestGateway({
      CORS_ORIGINS: site.origin,
      ARCHIVER: 'off',
      UPDATE_JOB_QUOTA: '20/1s',
    });
  });
  afterAll(async () => {
    site.stop();
    await gateway.stop();
  });

  beforeEach(async () => {
    await gateway.reset();
    faults = [];
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  type Client = 'apollo' | 'urql' | 'relay' | 'tanstack' | 'plain';
  async function open(client: Client, scope?: string): Promise<void> {
    page = await (await browser().newContext()).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    const query = new URLSearchParams({
      client,
      uri: `${gateway.url}/graphql`,
      token: await gateway.token(scope === undefined ? {} : { scope }),
    });
    await page.goto(`${site.origin}/?${query.toString()}`);
    await page.getByRole('listitem').first().waitFor();
  }

  const stored = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
  async function saveElsewhere(fields: { salary?: string; managerEmails?: string[] }): Promise<void> {
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const input = { jobPublicId: 'acme-backend-engineer', ...fields };
    const token = await gateway.token({ sub: 'colleague' });
    const { body } = await graphql(gateway, mutation, { input }, { token });
    expect(body.errors).toBeUndefined();
  }
  const countOfMedia = () => gateway.models.jobs.countDocuments({ media: 'demo-media' });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const rows = (count: number) => page.waitForFunction(`document.querySelectorAll('li').length === ${count}`);

  it('a list shows its count, the next page and what a search finds', async () => {
    await open('apollo');
    const count = page.getByText(`Jobs: ${await countOfMedia()}`);
    await count.waitFor();
    await rows(2);
    await press('More');
    await rows(4);
    await count.waitFor();
    await page.getByLabel('Name').fill('backend');
    await press('Search');
    await page.getByText('Jobs: 1').waitFor();
    await rows(1);
  });

  it('a form shows faults beside its inputs, and saves', async () => {
    await open('apollo');
    await press('Backend Engineer');
    const salary = page.getByLabel('Salary');
    await salary.fill('x'.repeat(31));
    await page.getByLabel('Managers').fill('claire@acme.example; nobody');
    await press('Save');
    await status('One or more fields are not valid.');
    const alertIn = (label: string) =>
      page.locator('label', { hasText: label }).getByRole('alert').textContent();
    expect(await alertIn('Salary')).toBe('Enter at most 30 characters.');
    expect(await alertIn('Managers')).toBe('Enter an e-mail address.');

    await salary.fill('55 000 €');
    await page.getByLabel('Managers').fill('claire@acme.example');
    await page.getByLabel('Contract').selectOption('');
    await press('Save');
    await status('Saved.');
    expect(await stored()).toMatchObject({
      salary: '55 000 €',
      managerEmails: ['claire@acme.example'],
      contract: null,
      version: 2,
    });
  });

  it('a number that nobody can read stays as typed, and is a fault at its input', async () => {
    await open('apollo');
    await press('Backend Engineer');
    const from = page.getByLabel('From');
    const before = await stored();
    for (const keys of [
      ['End', 'e'],
      ['Backspace', 'End', '5', 'e', '1'],
      ['ControlOrMeta+a', '-'],
    ]) {
      for (const key of keys) await from.press(key);
      const isBad = await page.evaluate(
        'document.querySelector(\'[name="salaryRange.minimum"]\').validity.badInput',
      );
      if (keys.at(-1) === '1') expect(await from.inputValue()).toMatch(/^\d+5e1$/);
      else expect(isBad).toBe(true);
    }
    await press('Save');
    const fault = page.locator('label', { hasText: 'From' }).getByRole('alert');
    await fault.filter({ hasText: 'Enter an amount' }).waitFor();
    expect(await stored()).toEqual(before);
    await from.press('Backspace');
    await press('Save');
    await status('Saved.');
    expect((await stored())?.salaryRange).toMatchObject({ minimum: null, currency: 'EUR' });
  });

  it('shows why a save failed, also if its client rejects with no Error', async () => {
    await open('plain');
    await page.getByLabel('Salary').fill('x'.repeat(31));
    await press('Save');
    await status('One or more fields are not valid.');
    await page.getByRole('alert').filter({ hasText: 'Enter at most 30 characters.' }).waitFor();
  });

  it('a form creates one job, even if it is sent twice, and saves that job from then on (Contract 5.5.1, 6.2.1)', async () => {
    await open('apollo');
    const before = await countOfMedia();
    await press('New job');
    await press('Create');
    await page.locator('label', { hasText: 'Title' }).getByRole('alert').waitFor();
    await page.getByLabel('Title').fill('Tester');
    await page.getByRole('button', { name: 'Create', exact: true }).dblclick();
    await status('Saved.');
    await page.getByText(`Jobs: ${before + 1}`).waitFor();
    await page.getByLabel('Pay').fill('1 €');
    await press('Save');
    await until(async () => (await gateway.models.jobs.findOne({ name: 'Tester' }).lean())?.salary === '1 €');
    expect(await countOfMedia()).toBe(before + 1);
  });

  it('a form without e-mail lists is shown to a reader whose token lacks r_w_jobs (Contract 3.2.4)', async () => {
    await open('apollo', 'r_jobs');
    await press('Backend Engineer');
    expect(await page.getByLabel('Salary').isDisabled()).toBe(true);
    expect(await page.getByLabel('Contract').inputValue()).toBe('permanent');
    expect(await page.getByLabel('Managers').count()).toBe(0);
    await status('the token lacks the scope r_w_jobs');
  });

  it('a form of a job whose company is not published says so, and cannot be edited', async () => {
    const memberships = [{ media: 'demo-media', isPublished: false, isVmePagePublished: false }];
    await gateway.models.companies.updateOne({ publicId: 'acme' }, { $set: { memberships } });
    await open('apollo');
    await press('Backend Engineer');
    await status('not currently published in this media.');
    expect(await page.getByLabel('Salary').isDisabled()).toBe(true);
  });

  it('a form keeps the focus in the input whose Enter saves', async () => {
    await open('apollo');
    await press('Backend Engineer');
    await page.getByLabel('From').fill('41000');
    await page.getByLabel('From').press('Enter');
    await status('Saved.');
    expect(await page.evaluate('document.activeElement.name')).toBe('salaryRange.minimum');
  });

  describe.each(['apollo', 'urql', 'relay', 'tanstack'] as const)('with %s, two people', (client) => {
    async function openForm(): Promise<void> {
      await open(client);
      if (client === 'apollo') await press('Backend Engineer');
      await page.getByLabel('Salary').waitFor();
    }

    it('a form asks about a salary that a colleague changed, too, and sends what its user decides (Contract 6.1.2)', async () => {
      await openForm();
      await saveElsewhere({ salary: '50 000 €', managerEmails: ['paul@acme.example'] });
      await page.getByLabel('Salary').fill('60 000 €');
      await press('Save');
      await page.getByText('A colleague has changed “Salary, as shown”, too.').waitFor();
      expect(await page.getByLabel('Managers').inputValue()).toBe('paul@acme.example');
      await press('Save');
      await page.getByRole('status').filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
      expect(await stored()).toMatchObject({ salary: '50 000 €', version: 2 });
      await press('Keep mine: 60 000 €');
      await press('Save');
      await status('Saved.');
      const saved = { salary: '60 000 €', managerEmails: ['paul@acme.example'], version: 3 };
      expect(await stored()).toMatchObject(saved);
    });

    it('a form merges a salary that a colleague saved since it was opened (Contract 6.1.2)', async () => {
      await openForm();
      const sent: unknown[] = [];
      page.on('request', (request) => {
        const { variables } = (request.postDataJSON() ?? {}) as { variables?: Record<string, unknown> };
        if (variables?.input) sent.push([variables.input, variables.expectedVersion]);
      });
      await saveElsewhere({ salary: '50 000 €' });
      await page.evaluate('readElsewhere()');
      await page.getByLabel('Managers').fill('paul@acme.example');
      await press('Save');
      await status('Saved.');
      expect(await page.getByLabel('Salary').inputValue()).toBe('50 000 €');
      const saved = { salary: '50 000 €', managerEmails: ['paul@acme.example'], version: 3 };
      expect(await stored()).toMatchObject(saved);

      await page.getByLabel('Salary').fill('51 000 €');
      await press('Save');
      await until(async () => (await stored())?.version === 4);
      const jobPublicId = 'acme-backend-engineer';
      expect(sent).toEqual([
        [{ jobPublicId, managerEmails: ['paul@acme.example'] }, 1],
        [{ jobPublicId, managerEmails: ['paul@acme.example'] }, 2],
        [{ jobPublicId, salary: '51 000 €' }, 3],
      ]);
    });

    it('a form that is opened again shows what a colleague saved, and saves at that version (Contract 6.1.2)', async () => {
      await openForm();
      await press('Open or close');
      await saveElsewhere({ managerEmails: ['paul@acme.example'] });
      await page.evaluate('readElsewhere()');
      await press('Open or close');
      await page.getByLabel('Salary').fill('55 000 €');
      expect(await page.getByLabel('Managers').inputValue()).toBe('paul@acme.example');
      await press('Save');
      await status('Saved.');
      const saved = { salary: '55 000 €', managerEmails: ['paul@acme.example'], version: 3 };
      expect(await stored()).toMatchObject(saved);
    });
  });

  it('a company is saved with its logo and its sectors, and a fault stands beside its input (Contract 5.3.5)', async () => {
    await open('apollo');
    await press('Acme');
    const input = page.getByLabel('New logo');
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await press('Save company');
    await page.getByRole('alert').filter({ hasText: 'This file is not an image.' }).waitFor();
    const files = () => page.evaluate("document.querySelector('[type=file]').files.length");
    expect(await files()).toBe(1);
    await press('Discard');
    expect(await files()).toBe(0);
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: smallPng });
    const sectors = page.getByLabel('Sectors');
    await sectors.selectOption([{ index: 0 }, { index: 1 }]);
    await press('Save company');
    await status('Saved.');
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(company).toMatchObject({ logo: { kind: 'file' }, version: 2 });
    expect(company?.sectors).toHaveLength(2);
    expect(await files()).toBe(0);
  });

  it.each(['urql', 'relay'] as const)(
    '%s shows pages, faults beside an input, and what was saved',
    async (client) => {
      await open(client);
      await rows(2);
      await press('More');
      await rows(4);
      const before = await stored();
      await press('Save');
      await status('Saved.');
      expect(await stored()).toEqual(before);
      await page.getByLabel('Salary').fill('x'.repeat(31));
      await press('Save');
      await page.getByRole('alert').filter({ hasText: 'Enter at most 30 characters.' }).waitFor();
      await page.getByLabel('Salary').fill('55 000 €');
      await press('Save');
      await page.getByText('Backend Engineer, 55 000 €').waitFor();
      expect(await stored()).toMatchObject({ salary: '55 000 €', version: 2 });
      await page.getByRole('alert').waitFor({ state: 'detached' });
    },
  );
});
