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
        await trial.getByRole('button', { name: 'Send' }).click();
        await trial.locator('output', { hasText: /\d ms$/ }).waitFor();
        expect(await trial.locator('output').innerText()).toMatch(new RegExp(`^${status} `));
        expect(await trial.locator('pre').innerText()).toMatch(/^ratelimit-cost: \d+$[^]*^\{/m);
      }
      expect(sent).toEqual(['PATCH multipart/form-data', 'POST application/json']);
      const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
      expect(company?.description).toBe('We make everything.');
      const job = await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
      expect(job).toMatchObject({ salary: '55000 EUR', recruiterEmails: ['jobs@acme.example'] });
      expect(await overflows(page)).toBe(false);
      expect(faults).toEqual([]);
    },
  );

  it('makes a dry run of each update on demand', async () => {
    await gateway.reset();
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs`);
    for (const operation of ['updateCompany', 'updateJob']) {
      const trial = page.locator(`#${operation} .try`);
      await trial.locator('summary').click();
      await trial.getByLabel('Dry run').check();
      await trial.getByRole('button', { name: 'Send' }).click();
      await trial.locator('pre', { hasText: 'preference-applied: validate-only' }).waitFor();
    }
    expect(await page.getByLabel('Dry run').count()).toBe(2);
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
    await trial.getByRole('button', { name: 'Send' }).click();
    await trial.locator('output', { hasText: /^201 / }).waitFor();
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
    expect(company?.logo).toMatchObject({ kind: 'file' });
    expect(faults).toEqual([]);
  });

  it.each([320, 360])('does not scroll sideways at %i px, whichever part is open', async (width) => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs`, { width, height: 800 });
    expect(await page.locator('.operation').count()).toBeGreaterThan(10);
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    expect(await overflows(page)).toBe(false);
    expect(faults).toEqual([]);
  });

  it('shows each update once, on at most 1,500 pixels of a wide screen', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`, { width: 1440, height: 900 });
    const updates = page.locator('.operation', { has: page.locator('.method', { hasText: /PATCH|POST/ }) });
    expect(await updates.count()).toBe(2);
    for (const update of await updates.all())
      expect((await update.boundingBox())?.height).toBeLessThanOrEqual(1_500);
  });

  it('finds an operation, a field and its limit, and is reached by /', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('salary free text');
    const found = page.locator('.found a').first();
    expect(await found.innerText()).toMatch(/^salary .*at most 30 characters/);
    await found.click();
    expect(new URL(page.url()).hash).toBe('#updateJob.salary');
    await page.getByLabel('Search this page').fill('zeppelin');
    await page.getByText('Nothing found.').waitFor();
  });

  it.each([
    ['narrow', narrow, ['"code " / ""', '"HTTP " / ""', '"GraphQL code " / ""', '"when " / ""']],
    ['wide', desktop, ['none', 'none', 'none', 'none']],
  ])(
    '/contract shows the column of each cell on a narrow screen only, and to the eye only: %s',
    async (_name, viewport, shown) => {
      const { page } = await openPage(browser(), `${gateway.url}/contract`, viewport);
      const columns = await page.evaluate(`[...document.querySelectorAll('#error-version-conflict td')]
        .map((cell) => getComputedStyle(cell, '::before').content)`);
      expect(columns).toEqual(shown);
      expect(await page.getByRole('cell', { name: 'version-conflict', exact: true }).count()).toBe(1);
    },
  );

  it('/contract finds a row of a table, and a text by words that stand apart', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/contract`);
    const search = page.getByLabel('Search this page');
    await search.fill('salary points');
    expect(await page.locator('.found a').first().innerText()).toBe('salary 30 code points');
    await search.fill('version-conflict again');
    await search.press('Enter');
    expect(new URL(page.url()).hash).toBe('#9.1.3');
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
    await call.locator('summary', { hasText: 'GraphQL' }).click();
    expect(await call.innerText()).toContain('mutation {\n  updateCompany(');
  });

  it('leads from an error to its row in the contract, and from there to the fields and back', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs#updateJob`);
    await page.locator('#updateJob .errors summary').click();
    await page.locator('#updateJob .errors').getByRole('link', { name: 'version-conflict' }).click();
    await page.locator('[id="error-version-conflict"]').waitFor();
    await page.locator('a[href="./docs#updateJob.salary"]').first().click();
    await page.locator('[id="updateJob.salary"]').waitFor();
    await page.getByRole('link', { name: '4.2.2, the rules of these fields' }).click();
    await page.locator('[id="4.2.2"]').waitFor();
  });

  it('says so if the gateway cannot be reached', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`);
    await page.route('**/health', (route) => route.abort());
    const trial = page.locator('.operation', { hasText: '/health' }).locator('.try');
    await trial.locator('summary').click();
    await trial.getByRole('button', { name: 'Send' }).click();
    await page.getByText('No reply: the gateway cannot be reached.').waitFor();
  });

  it('can be read whole without JavaScript', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${gateway.url}/docs`);
    expect(await page.locator('[id="updateJob.salary"]').innerText()).toContain('at most 30 characters');
  });
});
