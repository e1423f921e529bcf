import { expect, it } from '@jest/globals';
import { plain } from '../company/logo/test-images.js';
import { describeInBrowser, desktop, narrow, ownBrowser, openPage, overflows } from '../support/browser.js';
import { ownGateway } from '../support/own-gateway.js';

describeInBrowser('/docs in a browser', () => {
  const gateway = ownGateway({ NODE_ENV: 'development' });
  const browser = ownBrowser();

  it.each([
    ['wide', desktop],
    ['narrow', narrow],
  ])(
    'on a %s screen, runs its reads and updates with example values, without requests to other machines',
    async (_name, viewport) => {
      await gateway.reset();
      const { page, faults } = await openPage(browser(), `${gateway.url}/docs`, viewport);
      const sent: string[] = [];
      page.on('request', (request) => {
        const type = request.headers()['content-type'];
        if (type) sent.push(`${request.method()} ${type.split(';')[0]}`);
      });
      for (const [operation, status] of [
        ['getCompany', '200'],
        ['getJob', '200'],
        ['getReferences', '200'],
        ['updateCompany', '201'],
        ['updateJob', '200'],
      ] as const) {
        const trial = page.locator(`#${operation} .try`);
        await trial.locator('summary').click();
        if (operation.startsWith('update')) await trial.getByLabel('Dry run').uncheck();
        await trial.getByRole('button', { name: 'Send' }).click();
        await trial.locator('output', { hasText: /\d ms$/ }).waitFor();
        expect(await trial.locator('output').innerText()).toMatch(new RegExp(`^${status} `));
        expect(await trial.locator('.reply').innerText()).toMatch(/^ratelimit-cost: \d+$[^]*^\{/m);
      }
      expect(sent).toEqual(['PATCH application/json', 'POST application/json']);
      const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
      expect(company?.description).toBe('We make everything.');
      const job = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
      expect(job).toMatchObject({ salary: '55000 EUR', recruiterEmails: ['jobs@acme.example'] });
      expect(await overflows(page)).toBe(false);
      expect(faults).toEqual([]);
    },
  );

  it('makes a dry run of each update unless told otherwise', async () => {
    await gateway.reset();
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs`);
    for (const operation of ['updateCompany', 'updateJob', 'createJob']) {
      const trial = page.locator(`#${operation} .try`);
      await trial.locator('summary').click();
      await trial.getByRole('button', { name: 'Send' }).click();
      await trial.locator('.reply', { hasText: 'preference-applied: validate-only' }).waitFor();
    }
    expect(await page.getByLabel('Dry run').count()).toBe(3);
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(company?.description).not.toBe('We make everything.');
    const job = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
    expect(job?.salary).not.toBe('55000 EUR');
    expect(faults).toEqual([]);
  });

  it('sends a logo file', async () => {
    await gateway.reset();
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs#updateCompany`);
    const trial = page.locator('#updateCompany .try');
    await trial.locator('summary').click();
    const buffer = await plain(64, 64).png().toBuffer();
    await trial
      .getByLabel('logo', { exact: true })
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await trial.getByLabel('Dry run').uncheck();
    expect(await trial.locator('.request').innerText()).toMatch(/multipart\/form-data[^]*logo: logo\.png/);
    await trial.getByRole('button', { name: 'Send' }).click();
    await trial.locator('output', { hasText: /^201 / }).waitFor();
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(company?.logo).toMatchObject({ kind: 'file' });
    expect(faults).toEqual([]);
  });

  it('leaves a field out, sends its value or null, and shows the request as it will be sent', async () => {
    await gateway.reset();
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs#updateJob`);
    const trial = page.locator('#updateJob .try');
    await trial.locator('summary').click();
    const request = trial.locator('.request');
    await trial.getByLabel('What to send as salary', { exact: true }).selectOption('null');
    await trial.getByLabel('What to send as localisation').selectOption('leave out');
    await trial.getByLabel('application_method', { exact: true }).selectOption('internal_apply');
    const body = JSON.parse((await request.innerText()).replace(/^[^{]*/, '')) as object;
    expect(body).toMatchObject({ salary: null, application_method: 'internal_apply' });
    expect(Object.keys(body)).not.toContain('localisation');
    expect(await request.innerText()).toMatch(
      /^POST \/jobs\/acme-backend-engineer\n[^]*^Prefer: validate-only$[^]*^Authorization: Bearer …$/m,
    );
    const [sent] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'POST'),
      trial.getByRole('button', { name: 'Send' }).click(),
    ]);
    expect(JSON.parse(sent.postData() ?? '')).toEqual(body);
    await trial.locator('output', { hasText: /^200 / }).waitFor();
    expect(faults).toEqual([]);
  });

  it('fills selects from /references, and shows each fault at its input', async () => {
    await gateway.reset();
    const { page } = await openPage(browser(), `${gateway.url}/docs#updateJob`);
    const trial = page.locator('#updateJob .try');
    await trial.locator('summary').click();
    const contract = trial.getByLabel('contract_id', { exact: true });
    await trial.locator('select[name=contract_id]').waitFor();
    await contract.selectOption({ label: 'Fixed-term contract (fixed_term)' });
    const salary = trial.getByLabel('salary', { exact: true });
    await salary.fill('x'.repeat(31));
    await trial.getByRole('button', { name: 'Send' }).click();
    await trial.locator('output', { hasText: /^422 / }).waitFor();
    expect(await trial.locator('[aria-invalid=true]').count()).toBe(1);
    expect(await salary.getAttribute('aria-invalid')).toBe('true');
    expect(await trial.locator('.fault:visible').innerText()).toContain('30');
    await salary.fill('55 000 €');
    await trial.getByRole('button', { name: 'Send' }).click();
    await trial.locator('output', { hasText: /^200 / }).waitFor();
    expect(await trial.locator('.reply').innerText()).toContain('"public_id": "fixed_term"');
    expect(await trial.locator('.fault:visible').count()).toBe(0);
  });

  it('shows eight fields, and the others on demand or if a link names one', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs#updateJob.recruiter_emails`);
    expect(await page.locator('[id="updateJob.recruiter_emails"]').isVisible()).toBe(true);
    const create = page.locator('#createJob .more');
    expect(await create.locator('[id="createJob.recruiter_emails"]').isVisible()).toBe(false);
    await create.locator('summary', { hasText: /^\d+ more$/ }).click();
    expect(await create.locator('[id="createJob.recruiter_emails"]').isVisible()).toBe(true);
  });

  it('has its contents on a narrow screen, closed until asked for', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`, narrow);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const link = contents.getByRole('link', { name: 'Create a job' });
    expect(await link.isVisible()).toBe(false);
    await contents.getByText('Contents').click();
    await link.click();
    expect(new URL(page.url()).hash).toBe('#createJob');
    expect(await link.isVisible()).toBe(false);
    expect(await contents.getByText('Contents').isVisible()).toBe(true);
  });

  it('remembers the language of the calls, for all operations and later visits', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`);
    await page.locator('#getJob').getByRole('tab', { name: 'PHP' }).click();
    expect(await page.locator('#updateJob .call').innerText()).toContain('CURLOPT_POSTFIELDS');
    await page.reload();
    expect(await page.locator('#updateJob .call').innerText()).toContain('CURLOPT_POSTFIELDS');
    await page.locator('#updateJob').getByRole('tab', { name: '412' }).click();
    expect(await page.locator('#updateJob .call').innerText()).toContain('"error": "version-conflict"');
  });

  it('scrolls the contents to the chapter that one reads', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/contract#9.1.5`);
    const current = page.locator('.contents [aria-current]');
    await current.filter({ hasText: '9.1' }).waitFor();
    const place = await current.boundingBox();
    expect(place?.y).toBeGreaterThan(0);
    expect(place?.y).toBeLessThan(desktop.height);
  });

  it('prints every panel and field, and no button', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('[id="updateJob.recruiter_emails"]').isVisible()).toBe(true);
    const panels = page.getByRole('tabpanel');
    expect(await panels.count()).toBeGreaterThan(100);
    for (const selector of ['[role=tabpanel]', '.more dl'])
      expect(await page.locator(`${selector} >> visible=false`).count()).toBe(0);
    expect(await page.locator('button:visible').count()).toBe(0);
  });

  it.each([
    ['version-conflict', '/errors#version-conflict'],
    ['salary free text', '/docs#updateJob.salary'],
    ['GRAPHQL_MAX_DEPTH', '/handbook#GRAPHQL_MAX_DEPTH'],
    ['keys hold whatever dies', '/contract#6.2.2'],
    ['explorer quarter', '/changelog#for-callers-1'],
  ])('search finds %s over all pages, and opens %s', async (words, place) => {
    const { page, faults } = await openPage(browser(), gateway.url);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await page.locator('.search mark').first().waitFor();
    expect((await page.locator('.search mark').first().innerText()).toLowerCase()).toBe(
      words.split(' ')[0]?.toLowerCase(),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(gateway.url + place);
    expect(faults).toEqual([]);
  });

  it('search is opened by / or a button, moved in by arrow keys, and says if it finds nothing', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('idempotency');
    await page.locator('.search a').nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate("document.activeElement === document.querySelectorAll('.search a')[1]")).toBe(
      true,
    );
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('x zeppelin');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.getByRole('searchbox').isVisible()).toBe(true);
  });

  it('search loads at most 60 kB, and not before it is opened', async () => {
    const { page } = await openPage(browser(), gateway.url);
    const loaded: number[] = [];
    page.on('response', (reply) => void loaded.push(Number(reply.headers()['content-length'])));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('salary');
    await page.locator('.search mark').first().waitFor();
    expect(loaded).toHaveLength(1);
    expect(loaded[0]).toBeLessThan(60_000);
  });

  it('shows a call as curl and as its GraphQL mutation, and copies it with the token', async () => {
    const { page, context } = await openPage(browser(), `${gateway.url}/docs#updateCompany`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const call = page.locator('#updateCompany .call');
    await call
      .locator('pre', { hasText: `curl -X PATCH "${gateway.url}/companies"` })
      .first()
      .waitFor();
    await call.getByRole('button', { name: 'Copy' }).first().click();
    await call.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/Bearer eyJ/);
    await call.getByRole('tab', { name: 'GraphQL' }).click();
    expect(await call.innerText()).toMatch(/^mutation \w+\(.*\n {2}updateCompany\(/m);
  });

  it('copies without the clipboard API, which pages over plain HTTP lack', async () => {
    const { page, context } = await openPage(browser(), `${gateway.url}/docs`);
    await context.grantPermissions(['clipboard-read']);
    await page.evaluate("delete Navigator.prototype.clipboard; window.kept = ''");
    await page.evaluate(
      "document.addEventListener('copy', () => { window.kept = document.activeElement.value; })",
    );
    await page.locator('#getJob .call').getByRole('button', { name: 'Copy' }).first().click();
    await page.locator('#getJob').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('window.kept')).toMatch(/^curl "http.*Bearer eyJ/s);
  });

  it('copies where the browser refuses the clipboard, and has its tabs where it refuses to store anything', async () => {
    const context = await browser().newContext();
    await context.addInitScript(`
      Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('', 'SecurityError'); } });
      Clipboard.prototype.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    `);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${gateway.url}/docs`);
    const call = page.locator('#getJob .call');
    await call.getByRole('button', { name: 'Copy' }).first().click();
    await call.getByRole('button', { name: 'Copied' }).waitFor();
    await call.getByRole('tab', { name: 'GraphQL' }).click();
    expect(await call.innerText()).toMatch(/^query /m);
    expect(faults).toEqual([]);
  });

  it('searches, and offers references, once the gateway can be reached again', async () => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs`);
    let isAway = true;
    await page.route(/search-|\/references\/contract/, (route) =>
      isAway ? route.abort() : route.continue(),
    );
    await page.keyboard.press('/');
    await page.keyboard.type('salary');
    await page.getByText('The gateway cannot be reached.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const trial = page.locator('#updateJob .try');
    await trial.locator('summary').first().click();
    await page.waitForLoadState('networkidle');
    await trial.locator('summary').first().click();
    isAway = false;
    await trial.locator('summary').first().click();
    await trial.locator('select[name=contract_id]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('salary');
    await page.locator('.search mark').first().waitFor();
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  });

  it('can be read whole without JavaScript', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${gateway.url}/docs`);
    expect(await page.locator('[id="updateJob.salary"]').innerText()).toContain('at most 30 characters');
  });
});
