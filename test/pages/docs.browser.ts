import { expect, it } from '@jest/globals';
import { type Route } from 'playwright-core';
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
        ['companies-getCompany', '200'],
        ['jobs-getJob', '200'],
        ['references-getReferences', '200'],
        ['companies-updateCompany', '201'],
        ['jobs-updateJob', '200'],
      ] as const) {
        const section = page.locator(`#operations-${operation}`);
        await section.locator('.opblock-summary-control').click();
        await section.getByRole('button', { name: 'Execute' }).click();
        const reply = section.locator('.live-responses-table .response-col_status').nth(1);
        await reply.waitFor();
        expect((await reply.innerText()).trim()).toBe(status);
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

  it.each([320, 360])('does not scroll sideways at %i px, whichever operation is open', async (width) => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs`, {
      width,
      height: 800,
    });
    const operations = page.locator('.opblock');
    await operations.first().waitFor();
    expect(await operations.count()).toBeGreaterThan(10);
    for (const operation of await operations.all()) {
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-table').first().waitFor();
      expect([await operation.getAttribute('id'), await overflows(page)]).toEqual([
        expect.any(String),
        false,
      ]);
      await operation.locator('.opblock-summary-control').click();
    }
    expect(faults).toEqual([]);
  });

  it('shows updates once, with their errors in one table, on at most 4,500 pixels of a wide screen', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`, desktop);
    const updates = page.locator('.opblock', { hasText: /^(PATCH|POST)/ });
    await updates.first().waitFor();
    expect(await updates.count()).toBe(2);
    for (const update of await updates.all()) {
      await update.locator('.opblock-summary-control').click();
      await update.locator('.responses-table').first().waitFor();
      expect(await update.locator('.response-col_status').allInnerTexts()).toEqual([
        'Code',
        expect.stringMatching(/^20[01]/),
        'default',
      ]);
      expect((await update.boundingBox())?.height).toBeLessThan(4_500);
      await update.locator('.opblock-summary-control').click();
    }
  });

  it('finds operations by path and by summary', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs`);
    const filter = page.getByLabel('Filter by path or summary');
    for (const [phrase, found] of [
      ['/Changes', ['/changes']],
      ['Update A Job', ['/jobs/{job_public_id}']],
    ] as const) {
      await filter.fill(phrase);
      // The filter waits until nobody types.
      await page.waitForTimeout(2_000);
      const paths = await page.locator('.opblock-summary-path').allInnerTexts();
      expect(paths.map((path) => path.replaceAll('\u200b', ''))).toEqual(found);
    }
  });

  it('shows each operation as curl and as its GraphQL mutation', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs#/companies/updateCompany`);
    const samples = page.locator('#operations-companies-updateCompany summary');
    await samples.first().waitFor();
    for (const sample of await samples.all()) await sample.click();
    const text = await page.locator('#operations-companies-updateCompany .opblock-description').innerText();
    expect(text).toContain(`curl -X PATCH "${gateway.url}/companies"`);
    expect(text).toContain('mutation {\n  updateCompany(');
  });

  it('describes common headers once, at the top, and keeps a form field for each request header', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/docs#/jobs/updateJob`);
    const section = page.locator('#operations-jobs-updateJob');
    await section.locator('.responses-table').first().waitFor();
    const top = await page.locator('.info').innerHTML();
    const operation = await section.innerHTML();
    for (const description of [
      'that the caller has read, or',
      'A key that the caller chooses.',
      'The language of messages and names',
      'otherwise a new id',
      'Size, in units, of the quota closest',
      'Why the authorisation was refused',
    ])
      expect([description, top.split(description).length - 1, operation.includes(description)]).toEqual([
        description,
        1,
        false,
      ]);
    const inReplies = await section.locator('.headers .header-col').allTextContents();
    expect(inReplies).toContain('ETag');
    expect(inReplies).not.toContain('X-Request-Id');
    await section.getByPlaceholder('If-Match').waitFor();
  });

  it('asks for a token in a dialog, which holds the focus and returns it to the button', async () => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/docs`);
    const dialog = page.getByRole('dialog', { name: 'Available authorizations' });
    const value = page.getByLabel('Value:');
    await page.getByRole('button', { name: 'Authorize' }).focus();
    await page.keyboard.press('Enter');
    await dialog.locator(':focus').waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.keyboard.type('a token');
    expect(await value.inputValue()).toBe('a token');
    await page.keyboard.press('Escape');
    await page.locator('.btn.authorize:focus').waitFor();
    expect(await dialog.count()).toBe(0);

    await page.keyboard.press('Enter');
    await value.and(page.locator(':focus')).waitFor();
    for (let count = 0; count < 20; count += 1) {
      await page.keyboard.press('Tab');
      // After the dialog's last control, Tab goes to the browser's own controls, outside the page.
      expect(await page.locator(':focus').count()).toBe(await dialog.locator(':focus').count());
    }
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.locator('.btn.authorize:focus').waitFor();

    await page.keyboard.press('Enter');
    await dialog.locator(':focus').waitFor();
    await page.evaluate("document.querySelector('dialog').close()");
    // A closed dialog has no role any more, but the page has yet to remove it.
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await dialog.locator(':focus').waitFor();
    expect(faults).toEqual([]);
  });

  it.each([
    ['refused', (route: Route) => route.fulfill({ status: 503, json: { error: 'service-unavailable' } })],
    ['never answered', (route: Route) => route.abort()],
    [
      'answered with an HTML page',
      (route: Route) => route.fulfill({ contentType: 'text/html', body: '<html>' }),
    ],
  ])('says that the reference cannot be shown when /openapi.json is %s', async (_how, answer) => {
    const { page } = await openPage(browser(), gateway.url);
    await page.route('**/openapi.json', answer);
    await page.goto(`${gateway.url}/docs`);
    expect(await page.getByRole('alert').innerText()).toMatch(
      /^The reference cannot be shown: .*Reload the page/,
    );
  });
});
