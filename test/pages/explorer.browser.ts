import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { describeInBrowser, desktop, narrow, ownBrowser, openPage, overflows } from '../support/browser.js';
import { ownGateway, ownGateways } from '../support/own-gateway.js';

describeInBrowser('/explorer in a browser', () => {
  const gateway = ownGateway({ NODE_ENV: 'development' });
  const gatewayWith = ownGateways();
  const browser = ownBrowser();

  it.each([
    ['wide', desktop],
    ['narrow', narrow],
  ])(
    'on a %s screen, reads a job, saves and tries both example updates, without requests to other machines',
    async (_name, viewport) => {
      await gateway.reset();
      const { page, faults } = await openPage(browser(), `${gateway.url}/explorer`, viewport);

      expect(await page.getByRole('link', { name: 'REST', exact: true }).isVisible()).toBe(true);
      expect(await run(page)).toMatch(/^{ "data": { "job": { "publicId": "acme-backend-engineer/);
      expect(await isOnScreen(page, '.graphiql-response')).toBe(true);

      await turnTo(page, 'UpdateJob');
      const salary = async () =>
        (await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean())?.salary;
      expect(await salary()).not.toBe('55 000 €');
      expect(await run(page)).toMatch(/^{ "data": { "updateJob": { "job": { "publicId": "acme-backend-engin/);
      expect(await salary()).toBe('55 000 €');
      await replaceVariable(page, '"dryRun": false', '"dryRun": true');
      await replaceVariable(page, '55 000', '56 000');
      await run(page);
      expect(
        await page.evaluate("document.querySelector('.graphiql-response .CodeMirror').CodeMirror.getValue()"),
      ).toContain('"dryRun": true');
      expect(await salary()).toBe('55 000 €');

      await turnTo(page, 'UpdateCompany');
      expect(await run(page)).toMatch(/^{ "data": { "updateCompany": { "company": { "publicId": "acme"/);
      expect(await overflows(page)).toBe(false);
      expect(faults).toEqual([]);
    },
  );

  it('on a narrow screen, has panes of at least ten lines, in the typefaces of the other pages', async () => {
    const { page } = await openPage(browser(), `${gateway.url}/explorer`, narrow);
    await page.locator('.CodeMirror-linenumber').first().waitFor();
    for (const pane of ['Query Editor', 'Variables', 'Result Window']) {
      const box = await page.getByRole('region', { name: pane }).boundingBox();
      expect(box?.height).toBeGreaterThan(240);
    }
    const fontOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontFamily`);
    expect(await fontOf('.graphiql-container')).toBe(await fontOf('body'));
    await page.evaluate("document.body.append(document.createElement('code'))");
    expect(await fontOf('.CodeMirror')).toBe(await fontOf('body > code'));
  });

  it.each(['the query', 'the result', 'a button'])(
    'runs the operation on Ctrl+Enter in %s',
    async (place) => {
      const { page, faults } = await openPage(browser(), `${gateway.url}/explorer`);
      const places: Record<string, () => Promise<void>> = {
        'the query': () => page.getByRole('textbox', { name: 'Query Editor' }).focus(),
        'the result': () => page.locator('.graphiql-response .CodeMirror-scroll').focus(),
        'a button': () => page.getByRole('button', { name: 'Show History' }).focus(),
      };
      let calls = 0;
      page.on('request', (request) => {
        if (request.postData()?.includes('query Job')) calls += 1;
      });
      await places[place]?.();
      await page.keyboard.press('Control+Enter');
      await page
        .locator('.graphiql-response .CodeMirror-code', { hasText: 'acme-backend-engineer' })
        .waitFor();
      expect([calls, faults]).toEqual([1, []]);
    },
  );

  it('lets Tab leave the editors, forwards and backwards', async () => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/explorer`);
    const query = page.getByRole('textbox', { name: 'Query Editor' });
    await query.focus();
    const before = await page.locator('.graphiql-query-editor .CodeMirror-code').innerText();
    for (const [key, name] of [
      ['Tab', 'Variables'],
      ['Shift+Tab', 'Query Editor'],
    ] as const) {
      const named = page.getByRole('textbox', { name }).and(page.locator(':focus'));
      for (let count = 0; count < 12 && (await named.count()) === 0; count += 1)
        await page.keyboard.press(key);
      expect([name, await named.count()]).toEqual([name, 1]);
    }
    expect(await page.locator('.graphiql-query-editor .CodeMirror-code').innerText()).toBe(before);
    expect(faults).toEqual([]);
  });

  it.each(['no JSON', 'null', '{}', '{"tabs":[null],"activeTabIndex":0}'])(
    "opens as on a first visit if the browser's saved state is damaged: %s",
    async (kept) => {
      const { page, faults } = await openPage(browser(), gateway.url);
      await page.evaluate(`localStorage.setItem('graphiql:tabState', ${JSON.stringify(kept)})`);
      await page.goto(`${gateway.url}/explorer`);
      await page.getByRole('button', { name: 'UpdateCompany' }).waitFor();
      expect(await operations(page).allInnerTexts()).toEqual(['Job', 'UpdateJob', 'UpdateCompany']);
      expect(faults).toEqual([]);
    },
  );

  it('reads the schema without a token, compressed, and asks for no introspection (Contract 11.10)', async () => {
    const open = await gatewayWith({
      NODE_ENV: 'production',
      INTROSPECTION: 'on',
      JWT_KEY_FILE: join(gateway.settings.dataDir, 'development-key.json'),
    });
    const { page, faults } = await openPage(browser(), open.url);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    const answered = page.waitForResponse((reply) => reply.url() === `${open.url}/schema.graphql`);
    await page.goto(`${open.url}/explorer`);
    expect((await answered).headers()['content-encoding']).toMatch(/br|gzip/);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Mutation', exact: true }).waitFor();
    expect(asked.filter((body) => body.includes('IntrospectionQuery'))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows the first operation before its script has come', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${gateway.url}/explorer`);
    expect(await page.locator('#page pre').innerText()).toContain('query Job(');
  });

  it('shows the cost of a call, copies it as curl and TypeScript, and leads to the rules of a field', async () => {
    const { page, context, faults } = await openPage(browser(), `${gateway.url}/explorer`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await run(page);
    await page.getByText(/^Cost \d+, \d+ of \d+ left this second$/).waitFor();
    for (const [name, begin] of [
      ['Copy as curl', `curl -sS ${gateway.url}/graphql`],
      ['Copy as TS (TypeScript)', "import { GraphQLClient } from 'graphql-request';"],
    ] as const) {
      await page.getByRole('button', { name }).click();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect([copied.slice(0, begin.length), copied.includes('acme-backend-engineer')]).toEqual([
        begin,
        true,
      ]);
      expect(copied).not.toMatch(/eyJ/);
    }
    await page.locator('.graphiql-query-editor .CodeMirror-line', { hasText: 'salary' }).first().click();
    const link = page.getByRole('link', { name: 'salary in the contract' });
    expect(await link.getAttribute('href')).toContain('./contract#:~:text=salary');
    expect(faults).toEqual([]);
  });

  it('opens a new tab with an operation that runs, and runs an operation of the history again after a reload', async () => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/explorer`);
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.waitForTimeout(2_000);
    expect(await run(page)).toMatch(/^{ "data": { "viewer": { "subject": /);
    await page.reload();
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history-item-label', { hasText: 'Viewer' }).first().click();
    await page.waitForTimeout(2_000);
    expect(await run(page)).toMatch(/^{ "data": { "viewer": { "subject": /);
    expect(faults).toEqual([]);
  });

  it('loads at most 0.9 MB', async () => {
    const page = await browser().newPage();
    let bytes = 0;
    page.on('response', (reply) => {
      if (reply.request().method() === 'GET') bytes += Number(reply.headers()['content-length'] ?? 0);
    });
    await page.goto(`${gateway.url}/explorer`);
    await page.getByRole('button', { name: 'UpdateCompany' }).waitFor();
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(900_000);
  });

  it('saves no token in the browser, and puts a new token into restored tabs', async () => {
    const { page, faults } = await openPage(browser(), `${gateway.url}/explorer`);
    await run(page);
    await page.waitForTimeout(1_000);
    const kept = String(await page.evaluate('JSON.stringify(localStorage)'));
    expect(kept).toContain('graphiql:queries');
    expect(kept).not.toMatch(/eyJ/);
    await page.reload();
    expect(await run(page)).toMatch(/^{ "data": { "job"/);
    expect(await operations(page).allInnerTexts()).toEqual(['Job', 'UpdateJob', 'UpdateCompany']);
    expect(faults).toEqual([]);
  });
});

/** @returns whether all of the element is visible without scrolling */
const isOnScreen = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('${selector}').getBoundingClientRect())`,
  );

/** CodeMirror keeps its text outside of the elements that people type into. */
const replaceVariable = (page: Page, before: string, after: string): Promise<unknown> =>
  page.evaluate(`(({ CodeMirror: editor }) =>
    editor.setValue(editor.getValue().replace('${before}', '${after}')))(
    document.querySelector('[aria-label="Variables"] .CodeMirror'))`);

const operations = (page: Page) =>
  page.getByRole('list', { name: 'Select active operation' }).getByRole('listitem');

/** Waits, because GraphiQL shows a tab a moment before it reads the tab's operation, and would run the previous one. */
async function turnTo(page: Page, name: string): Promise<void> {
  await operations(page).filter({ hasText: name }).getByRole('button', { name }).click();
  await page.waitForTimeout(2_000);
}

/** Returns the answer on the page as one line. */
async function run(page: Page): Promise<string> {
  const answered = page.waitForResponse(
    (reply) =>
      reply.url().endsWith('/graphql') && !reply.request().postData()?.includes('IntrospectionQuery'),
  );
  await page.getByRole('button', { name: /Execute query/ }).click();
  await answered;
  const shown = page.locator('.graphiql-response .CodeMirror-code', { hasText: 'data' });
  await shown.waitFor();
  return (await shown.innerText()).replace(/\s+/g, ' ').trim();
}
