import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { smallPng } from '../company/logo/test-images.js';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql } from '../support/requests.js';
import { type Site, startSite } from '../support/site.js';
import { ofCompany, ofJob } from '../support/updates.js';
import { withEnd } from '../support/reset-records.js';

describeInBrowser('a front-end in Chromium, at another origin than the gateway (Contract 8.6.4)', () => {
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
    site.stop();
  });

  beforeEach(async () => {
    await gateway.reset();
    site.tokens = [await gateway.token()];
    faults = [];
  });
  afterEach(() => page.context().close());

  /** Errors in the console don't count as faults: the browser logs refusals there, which the tests expect. */
  async function visit(): Promise<void> {
    page = await (await browser().newContext()).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${site.origin}/?gateway=${encodeURIComponent(`${gateway.url}/graphql`)}`);
  }

  async function open(): Promise<void> {
    await visit();
    await openJob('Backend Engineer');
  }

  async function openJob(name: string): Promise<void> {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('heading', { name }).waitFor();
  }

  /** Without the idempotency keys of calls that changed nothing. */
  const storedJob = () =>
    gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }, { unchangingCalls: 0 }).lean();

  async function changes() {
    const query = `{ job(publicId: "acme-backend-engineer") {
      history { edges { node { transport changes { field before after } } } } } }`;
    const { body } = await graphql(gateway, query, {}, { token: await gateway.token() });
    const { job } = body.data as { job: { history: { edges: { node: object }[] } } };
    return job.history.edges.map(({ node }) => node);
  }

  function updateJob(token: string | undefined, fields: { salary?: string } = {}) {
    const mutation = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }';
    return graphql(gateway, mutation, { input: { ...ofJob, ...fields } }, { token });
  }

  async function saveSalary(salary: string): Promise<void> {
    await page.getByLabel('Salary').fill(salary);
    await page.getByRole('button', { name: 'Save the job' }).click();
  }

  async function expectStatus(sentence: string): Promise<void> {
    await page.getByRole('status').filter({ hasText: sentence }).waitFor();
    expect(faults).toEqual([]);
  }

  it('the page shows and saves a job: the history has exactly the changed fields (Contract 9.1.3, 10.1)', async () => {
    await open();
    expect(await page.getByLabel('Salary').inputValue()).toBe('48 000 € – 58 000 €');
    await saveSalary('55 000 €');
    await expectStatus('Saved.');
    expect(await storedJob()).toMatchObject({ salary: '55 000 €', version: 2 });
    const change = { field: 'salary', before: '48 000 € – 58 000 €', after: '55 000 €' };
    expect(await changes()).toEqual([{ transport: 'graphql', changes: [change] }]);
    const entry = page.locator('#history li');
    expect(await entry.textContent()).toContain('salary: 48 000 € – 58 000 € → 55 000 €');
  });

  it('the page sets the end of a job, shows it, and gives the default back when the field is emptied (Contract 4.2.13)', async () => {
    const { publishedAt } = (await storedJob()) ?? {};
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const lastOfDay = `${inTwoDays}T23:59:59.999Z`;
    await open();
    await page.getByLabel('Ends on').fill(inTwoDays);
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('Saved.');
    expect(await storedJob()).toMatchObject({ expiresAt: new Date(lastOfDay), version: 2 });
    expect(await page.getByLabel('Ends on').inputValue()).toBe(lastOfDay);
    await page.getByLabel('Ends on').fill('');
    await page.getByRole('button', { name: 'Save the job' }).click();
    await page.waitForFunction("document.querySelector('[name=expiresAt]').value");
    const latest = new Date(Number(publishedAt) + 90 * 86_400_000);
    expect(await storedJob()).toMatchObject({ expiresAt: latest, version: 3 });
  });

  it.each([
    ['from the demo data', {}],
    ['with a place that an operator set without a localisation', { localisation: null }],
    [
      'with every optional field empty',
      {
        ...Object.fromEntries(
          ['contract', 'jobCategory', 'worktime', 'remote', 'education', 'experience'].map((path) => [
            path,
            null,
          ]),
        ),
        salary: null,
        localisation: null,
        applicationMethod: 'internal_apply',
        applicationUrl: null,
        managerEmails: [],
        recruiterEmails: [],
        description: {
          companyDesc: null,
          jobDesc: null,
          profileDesc: null,
          benefitDesc: null,
          processDesc: null,
        },
      },
    ],
    [
      'with line breaks of every kind',
      {
        salary: '48 000 €\r\n+ bonus',
        localisation: '12 Rue de la République\n69002 Lyon',
        description: {
          companyDesc: '<p>Acme\r\nsells.</p>',
          jobDesc: '<p>You\rsell,</p>',
          profileDesc: '<p>as we\ndo.</p>',
          benefitDesc: null,
          processDesc: null,
        },
      },
    ],
    ['whose lifetime has ended', withEnd({ publishedAt: new Date(Date.now() - 91 * 86_400_000) })],
    ['that is a draft', { state: 'draft' }],
    ['that is archived', { state: 'archived' }],
  ])(
    'saving the page without an edit changes nothing in a job %s (Contract 2.2.9, 4.3.3.4, 9.1.2)',
    async (_, fields) => {
      await gateway.models.jobs.collection.updateOne({ publicId: 'acme-backend-engineer' }, { $set: fields });
      const before = await storedJob();
      await open();
      await page.getByRole('button', { name: 'Save the job' }).click();
      await expectStatus('Saved.');
      expect(await storedJob()).toEqual(before);
      expect(await changes()).toEqual([]);
    },
  );

  it('the page shows a saved job everywhere without another request (Contract 9.1.1)', async () => {
    await open();
    const listed = page.getByRole('listitem').filter({ hasText: 'Backend Engineer' });
    expect(await listed.textContent()).toBe('Backend Engineer, 48 000 € – 58 000 €, version 1');
    const lists: unknown[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query Jobs(')) lists.push(request);
    });
    await saveSalary('55 000 €');
    await listed.filter({ hasText: '55 000 €, version 2' }).waitFor();
    await expectStatus('Saved.');
    expect(lists).toEqual([]);

    await page.getByLabel('Salary').fill('typed over');
    await page.getByRole('button', { name: 'Read the job again' }).click();
    await page.waitForFunction('document.forms.job.elements.salary.value === "55 000 €"');
  });

  it('the page extends its list by a page of jobs at a time, up to the last job (Contract 4.4.6)', async () => {
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
      .find({ media: 'demo-media' }, { name: 1, salary: 1 })
      .sort('publicId')
      .lean();
    expect(lengths.length).toBeGreaterThan(2);
    expect(await listed()).toEqual(ofMedia.map(({ name, salary }) => `${name}, ${salary}, version 1`));
  });

  it('the page counts the jobs that a search finds (Contract 4.4.6)', async () => {
    await visit();
    await page.getByText(/^2 of \d+ jobs$/).waitFor();
    await page.getByLabel('Search jobs').fill('engineer backend');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 of 1 jobs').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
  });

  it('the page says at once what to check if its origin is not in CORS_ORIGINS (Contract 8.6.4)', async () => {
    const other = await startSite();
    try {
      other.tokens = [await gateway.token()];
      page = await (await browser().newContext()).newPage();
      await page.goto(`${other.origin}/?gateway=${encodeURIComponent(`${gateway.url}/graphql`)}`);
      await expectStatus(`The first call did not reach the gateway. Check`);
      expect(await page.getByRole('status').textContent()).toContain(
        `CORS_ORIGINS must contain ${other.origin}, the origin`,
      );
    } finally {
      other.stop();
    }
  });

  it('the page sends the logo from a file field, and shows the served logo (Contract 4.1.7.8)', async () => {
    await open();
    await page
      .getByLabel('Logo')
      .first()
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: smallPng });
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('Saved.');
    await page.waitForFunction('document.getElementById("shown").naturalWidth === 8');
    expect(await page.getByRole('img').getAttribute('src')).toMatch(/\/logos\/[0-9a-f]{64}$/);
  });

  it('the page signs in again if its token has expired (Contract 7.2.2)', async () => {
    site.tokens = ['ended', await gateway.token()];
    await open();
    expect(site.tokens).toHaveLength(1);
  });

  it('the page shows a job to a reader, and says after a 401 that the token does not allow a save (Contract 5.8, 7.2.2)', async () => {
    site.tokens = [await gateway.token({ scope: 'r_jobs' })];
    await open();
    expect(await page.getByLabel('Salary').inputValue()).toBe('48 000 € – 58 000 €');
    expect(await page.locator('#job').getAttribute('inert')).toBe('');
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('You may not do this.');
  });

  it('the page says, after a 409, that another company has the name (Contract 4.1.6.3)', async () => {
    await open();
    await page.getByLabel('Name').fill('Globex');
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('Another company has this name or domain.');
  });

  it('the page shows the stored values after a 412, and a second save overwrites them (Contract 9.1.3)', async () => {
    await open();
    await updateJob(await gateway.token({ sub: 'another' }), { salary: '50 000 €' });
    await saveSalary('55 000 €');
    await expectStatus('Changed: salary. The salary is now 50 000 €.');
    expect(await page.getByLabel('Salary').inputValue()).toBe('55 000 €');
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('Saved.');
    expect(await storedJob()).toMatchObject({ salary: '55 000 €', version: 3 });
  });

  it('the page keeps the salary that a colleague saved since the form was opened (Contract 9.1.3)', async () => {
    await open();
    await updateJob(await gateway.token({ sub: 'another' }), { salary: '50 000 €' });
    await page.getByLabel('Search jobs').fill('backend');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Backend Engineer, 50 000 €, version 2').waitFor();
    await page.getByLabel('Managers').fill('paul@acme.example');
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('The record has changed since the version you expected.');
    const seen = { salary: '50 000 €', managerEmails: ['claire.martin@acme.example'], version: 2 };
    expect(await storedJob()).toMatchObject(seen);
    expect(await page.getByLabel('Salary').inputValue()).toBe('50 000 €');
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('Saved.');
    const saved = { salary: '50 000 €', managerEmails: ['paul@acme.example'], version: 3 };
    expect(await storedJob()).toMatchObject(saved);
    const fields = [{ changes: [{ field: 'managerEmails' }] }, { changes: [{ field: 'salary' }] }];
    expect(await changes()).toMatchObject(fields);
  });

  it('the page keeps the name of a company that a colleague saved since the form was opened (Contract 9.1.3)', async () => {
    await open();
    const mutation =
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { version } } }';
    const input = { ...ofCompany, name: 'Acme Lyon' };
    await graphql(gateway, mutation, { input }, { token: await gateway.token({ sub: 'another' }) });
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: smallPng };
    await page.getByLabel('Logo').first().setInputFiles(logo);
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('The record has changed since the version you expected.');
    expect(await page.locator('#company [name=name]').inputValue()).toBe('Acme Lyon');
    await page.getByRole('button', { name: 'Save the company' }).click();
    await expectStatus('Saved.');
    const stored = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(stored).toMatchObject({ name: 'Acme Lyon', version: 3 });
  });

  it('the page writes each fault of a 422 beside its field (Contract 7.3.1)', async () => {
    await open();
    await page.getByLabel('Application URL').fill('acme.example/apply');
    await page.getByLabel('Managers').fill('nobody');
    await page.getByLabel('Contract').selectOption('');
    await saveSalary('x'.repeat(31));
    await expectStatus('Please correct the marked fields.');
    const besides = page.getByRole('alert');
    expect(await besides.allTextContents()).toEqual([
      'This field cannot be empty.',
      'Enter at most 30 characters.',
      'Enter an http or https URL.',
      'Enter an e-mail address.',
    ]);
    expect(await page.getByLabel('Salary').locator('xpath=..').getByRole('alert').textContent()).toBe(
      'Enter at most 30 characters.',
    );
  });

  it('after a 429 the page waits as long as the gateway says, then saves (Contract 8.2.4)', async () => {
    await open();
    const sentMs: number[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('mutation UpdateJob')) sentMs.push(performance.now());
    });
    const refusal = page.waitForResponse((response) => response.status() === 429);
    const [token] = site.tokens;
    await page.getByLabel('Salary').fill('55 000 €');
    await Promise.all([1, 2].map(() => updateJob(token)));
    await page.getByRole('button', { name: 'Save the job' }).click();
    await expectStatus('Many requests: waiting for the quota. Attempt 2 follows in');
    await expectStatus('Saved.');
    const toldSeconds = Number((await refusal).headers()['retry-after']);
    expect(toldSeconds).toBeGreaterThan(0);
    const [first = NaN, second = NaN] = sentMs;
    expect(second - first).toBeGreaterThan(toldSeconds * 1_000 - 50);
    expect(await storedJob()).toMatchObject({ salary: '55 000 €', version: 2 });
  });
});
