import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { plain } from '../company/logo/test-images.js';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql } from '../support/requests.js';
import { type Site, startSite } from '../support/site.js';

describeInBrowser('a front-end in Chromium, at another origin (Contract 8.6.4)', () => {
  let gateway: TestGateway;
  let site: Site;
  const browser = ownBrowser();
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    site = await startSite();
    gateway = await startTestGateway({
      CORS_ORIGINS: site.origin,
      UPDATE_JOB_QUOTA: '2/2s',
      ARCHIVER: 'off',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await site.stop();
  });

  beforeEach(async () => {
    await gateway.reset();
    site.tokens = [await gateway.token()];
    faults = [];
  });
  afterEach(() => page.context().close());

  /** Opens the page; what the console tells of refusals, which are what is tried here, is no fault. */
  async function open(): Promise<void> {
    page = await (await browser().newContext()).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${site.origin}/?gateway=${encodeURIComponent(`${gateway.url}/graphql`)}`);
    await page.getByRole('heading', { name: 'Backend Engineer' }).waitFor();
    await page.getByRole('listitem').first().waitFor();
  }

  /** Updates the job of the page past it. */
  function updateJob(token: string | undefined, fields: { salary?: string } = {}) {
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    const ids = {
      mediaPublicId: 'demo-media',
      companyPublicId: 'acme',
      jobPublicId: 'acme-backend-engineer',
    };
    return graphql(gateway, mutation, { input: { ...ids, ...fields } }, { token });
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

  it('shows after a save what was saved, wherever the job is shown, and asks for nothing again (Contract 9.1.1)', async () => {
    await open();
    const listed = page.getByRole('listitem').filter({ hasText: 'Backend Engineer' });
    expect(await listed.textContent()).toBe('Backend Engineer, version 1');
    await saveSalary('55 000 €');
    await listed.filter({ hasText: 'version 2' }).waitFor();
    await expectStatus('Saved.');

    let requests = 0;
    page.on('request', () => (requests += 1));
    await page.getByLabel('Salary').fill('typed over');
    await page.getByRole('button', { name: 'Read the job again' }).click();
    await page.waitForFunction('document.forms.job.elements.salary.value === "55 000 €"');
    expect(requests).toBe(0);
  });

  it('grows a list by a page at a time, up to its end (Contract 4.4.6)', async () => {
    await open();
    const more = page.getByRole('button', { name: 'More jobs' });
    const listed = () => page.getByRole('listitem').allTextContents();
    const lengths = [(await listed()).length];
    while (await more.isEnabled()) {
      await more.click();
      await page.waitForFunction(`document.querySelectorAll('li').length > ${lengths.at(-1)}`);
      lengths.push((await listed()).length);
    }
    const ofMedia = await gateway.models.jobs
      .find({ media: 'demo-media' }, { name: 1 })
      .sort('publicId')
      .lean();
    expect(lengths.length).toBeGreaterThan(2);
    expect(await listed()).toEqual(ofMedia.map(({ name }) => `${name}, version 1`));
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
    site.tokens = ['ended', await gateway.token()];
    await open();
    expect(site.tokens).toHaveLength(1);
  });

  it('tells on 401 what the token does not allow (Contract 7.2.2)', async () => {
    site.tokens = [await gateway.token({ scope: 'r_jobs' })];
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
    await updateJob(await gateway.token({ sub: 'another' }), { salary: '50 000 €' });
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
    const refused: number[] = [];
    page.on('response', (response) => {
      if (response.status() === 429) refused.push(response.status());
    });
    const [token] = site.tokens;
    await page.getByLabel('Salary').fill('55 000 €');
    await Promise.all([1, 2].map(() => updateJob(token)));
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('Saved.');
    expect(refused).toContain(429);
  });
});
