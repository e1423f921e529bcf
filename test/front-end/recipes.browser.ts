import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { smallPng } from '../company/logo/test-images.js';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { withArtifacts, writeExamples } from '../support/client-readme.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { installPackedClient } from '../support/packed-client.js';
import { graphql } from '../support/requests.js';
import { serveSite, type Site } from '../support/site.js';

const main = `
import { ApolloProvider } from '@apollo/client/react';
import { Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { RelayEnvironmentProvider } from 'react-relay';
import { Provider } from 'urql';
import * as apollo from './connect';
import { JobForm } from './job-form';
import { JobList } from './job-list';
import { Logo } from './logo';
import * as relay from './src/Jobs.built';
import * as urql from './urql';

const given = new URLSearchParams(location.search);
const [client, uri, token] = ['client', 'uri', 'token'].map((name) => given.get(name));
const publicId = 'acme-backend-engineer';

function Recipes() {
  const [opened, open] = useState(null);
  return <><JobList media="demo-media" onOpen={open} />
    {opened && <JobForm publicId={opened} />}<Logo media="demo-media" company="acme" /></>;
}
const views = {
  apollo: () => <ApolloProvider client={apollo.connect(uri, token)}><Recipes /></ApolloProvider>,
  urql: () => <Provider value={urql.connect(uri, token)}>
    <urql.JobList media="demo-media" /><urql.SalaryForm publicId={publicId} /></Provider>,
  relay: () => <RelayEnvironmentProvider environment={relay.connect(uri, token)}>
    <Suspense><relay.JobList media="demo-media" /><relay.SalaryForm publicId={publicId} /></Suspense>
    </RelayEnvironmentProvider>,
};
createRoot(document.body).render(views[client]());
`;

describeInBrowser('the recipes of the client’s README, in React', () => {
  let gateway: TestGateway;
  let site: Site;
  let page: Page;
  let faults: string[];
  const browser = ownBrowser();

  beforeAll(async () => {
    const client = await installPackedClient();
    // Two jobs are enough for a page.
    await writeExamples(client, (code) => code.replace(/\b20\b/g, '2'));
    const jobs = await readFile(join(client.folder, 'src/Jobs.tsx'), 'utf8');
    await writeFile(join(client.folder, 'src/Jobs.built.tsx'), withArtifacts(jobs));
    await writeFile(join(client.folder, 'main.tsx'), main);
    const script = await client.bundle(join(client.folder, 'main.tsx'));
    await client.remove();
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

  async function open(client: 'apollo' | 'urql' | 'relay'): Promise<void> {
    page = await (await browser().newContext()).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    const query = new URLSearchParams({
      client,
      uri: `${gateway.url}/graphql`,
      token: await gateway.token(),
    });
    await page.goto(`${site.origin}/?${query.toString()}`);
    await page.getByRole('listitem').first().waitFor();
  }

  const stored = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
  const countOfMedia = () => gateway.models.jobs.countDocuments({ media: 'demo-media' });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
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

  it('a form shows faults beside its inputs, saves, and keeps its input over a version conflict', async () => {
    await open('apollo');
    await press('Backend Engineer');
    const salary = page.getByLabel('Salary');
    await salary.fill('x'.repeat(31));
    await page.getByLabel('Managers').fill('claire@acme.example; nobody');
    await press('Save');
    await page.getByRole('status').filter({ hasText: 'One or more fields are not valid.' }).waitFor();
    const alertIn = (label: string) =>
      page.locator('label', { hasText: label }).getByRole('alert').textContent();
    expect(await alertIn('Salary')).toBe('Enter at most 30 characters.');
    expect(await alertIn('Managers')).toBe('Enter an e-mail address.');

    await salary.fill('55 000 €');
    await page.getByLabel('Managers').fill('claire@acme.example');
    await page.getByLabel('Contract').selectOption('');
    await press('Save');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    expect(await stored()).toMatchObject({
      salary: '55 000 €',
      managerEmails: ['claire@acme.example'],
      contract: null,
      version: 2,
    });

    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const input = { jobPublicId: 'acme-backend-engineer', salary: '50 000 €' };
    await graphql(gateway, mutation, { input }, { token: await gateway.token({ sub: 'another' }) });
    await salary.fill('60 000 €');
    await press('Save');
    await press('Read the current version, and keep my input');
    await page.getByText('Backend Engineer, 50 000 €').waitFor();
    await press('Save');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    expect(await stored()).toMatchObject({ salary: '60 000 €', version: 4 });
  });

  it('a logo is saved and shown, and a fault stands beside its input (Contract 4.1.7.8)', async () => {
    await open('apollo');
    const input = page.getByLabel('Logo');
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await page.getByRole('alert').waitFor();
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: smallPng });
    await page.waitForFunction('document.querySelector("img")?.naturalWidth === 8');
    expect(await page.getByRole('img').getAttribute('src')).toMatch(/\/logos\/[0-9a-f]{64}$/);
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
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
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
