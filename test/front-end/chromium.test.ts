import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page } from 'playwright-core';
import { plain } from '../company/logo/test-images.js';
import { describeInBrowser, openBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql } from '../support/requests.js';

const folder = new URL('browser/', import.meta.url);

describeInBrowser('a front-end in Chromium, at another origin (Contract 8.6.4)', () => {
  let gateway: TestGateway;
  let site: Server;
  let browser: Browser;
  let page: Page;
  /** What the site's sign-in gives next; the last one is given ever after. */
  let tokens: string[];
  let faults: string[];
  let origin: string;

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('page.ts', folder))],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    const html = await readFile(new URL('page.html', folder), 'utf8');
    site = createServer(({ url = '/' }, reply) => {
      if (url === '/page.js') reply.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.text);
      else if (url === '/token') reply.end(tokens.length > 1 ? tokens.shift() : tokens[0]);
      else reply.setHeader('content-type', 'text/html').end(html);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    gateway = await startTestGateway({ CORS_ORIGINS: origin, UPDATE_JOB_QUOTA: '2/2s' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await gateway.stop();
    site.closeAllConnections();
    site.close();
  });

  beforeEach(async () => {
    await gateway.reset();
    tokens = [await gateway.token()];
    faults = [];
  });
  afterEach(() => page.context().close());

  /** Opens the page; what the console tells of refusals, which are what is tried here, is no fault. */
  async function open(): Promise<void> {
    page = await (await browser.newContext()).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${origin}/?gateway=${encodeURIComponent(`${gateway.url}/graphql`)}`);
    await page.getByRole('heading', { name: 'Backend Engineer' }).waitFor();
  }

  async function saveSalary(salary: string): Promise<void> {
    await page.getByLabel('Salary').fill(salary);
    await page.getByRole('button', { name: 'Save the job' }).click();
  }

  async function expectStatus(sentence: string): Promise<void> {
    await page.getByRole('status').filter({ hasText: sentence }).waitFor();
    expect(faults).toEqual([]);
  }

  it('shows a job and saves it (Contract 9.1.3)', async () => {
    await open();
    expect(await page.getByLabel('Salary').inputValue()).toBe('48 000 € – 58 000 €');
    await saveSalary('55 000 €');
    await expectStatus('Saved.');
    const stored = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect([stored?.salary, stored?.version]).toEqual(['55 000 €', 2]);
  });

  it('sends the logo of a file field, and shows it as the gateway serves it (Contract 4.1.7.8)', async () => {
    await open();
    const buffer = await plain(8, 8).png().toBuffer();
    await page.getByLabel('Logo').first().setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('Saved.');
    await page.waitForFunction('document.getElementById("shown").naturalWidth === 8');
    expect(await page.getByRole('img').getAttribute('src')).toMatch(/\/logos\/[0-9a-f]{64}$/);
  });

  it('signs in again on 401 for a token that has ended (Contract 7.2.2)', async () => {
    tokens = ['ended', await gateway.token()];
    await open();
    expect(tokens).toHaveLength(1);
  });

  it('tells on 401 what the token does not allow (Contract 7.2.2)', async () => {
    tokens = [await gateway.token({ scope: 'r_jobs' })];
    await open();
    await saveSalary('1');
    await expectStatus('You may not do this.');
  });

  it('tells of 409 what to do about it (Contract 4.1.6.3)', async () => {
    await open();
    await page.getByLabel('Name').fill('Globex');
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('Please contact support');
  });

  it('shows on 412 what is stored now, over which a second try saves (Contract 9.1.3)', async () => {
    await open();
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const input = {
      mediaPublicId: 'demo-media',
      companyPublicId: 'acme',
      jobPublicId: 'acme-backend-engineer',
      salary: '50 000 €',
    };
    await graphql(gateway, mutation, { input }, { token: await gateway.token({ sub: 'another' }) });
    await saveSalary('55 000 €');
    await expectStatus('salary. Please look at it again before you save. It is now: 50 000 €');
    await saveSalary('55 000 €');
    await expectStatus('Saved.');
  });

  it('tells on 422 what is wrong with the field (Contract 7.3.1)', async () => {
    await open();
    await saveSalary('x'.repeat(31));
    await expectStatus('salary must have at most 30 characters.');
  });

  it('waits on 429 as long as it is told, and then saves (Contract 8.2.4)', async () => {
    await open();
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const input = {
      mediaPublicId: 'demo-media',
      companyPublicId: 'acme',
      jobPublicId: 'acme-backend-engineer',
    };
    const refused: number[] = [];
    page.on('response', (response) => {
      if (response.status() === 429) refused.push(response.status());
    });
    const token = tokens[0];
    await page.getByLabel('Salary').fill('55 000 €');
    await Promise.all([1, 2].map(() => graphql(gateway, mutation, { input }, { token })));
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('Saved.');
    expect(refused).toContain(429);
  });
});
