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

  it('reads the schema without a token, and asks for no introspection', async () => {
    const open = await gatewayWith({
      NODE_ENV: 'production',
      INTROSPECTION: 'on',
      JWT_KEY_FILE: join(gateway.settings.dataDir, 'development-key.json'),
    });
    const { page, faults } = await openPage(browser(), open.url);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await page.goto(`${open.url}/explorer`);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Mutation', exact: true }).waitFor();
    expect(asked.filter((body) => body.includes('IntrospectionQuery'))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('says that it loads, until it has', async () => {
    const { page } = await openPage(browser(), gateway.url);
    let load: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/schema.graphql', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto(`${gateway.url}/explorer`);
    const status = page.getByText('The explorer is loading …');
    expect(await status.isVisible()).toBe(true);
    load();
    await page.getByRole('button', { name: 'UpdateCompany' }).waitFor();
    expect(await status.isVisible()).toBe(false);
  });

  it('shows the cost of a call, and copies it as curl without the token', async () => {
    const { page, context, faults } = await openPage(browser(), `${gateway.url}/explorer`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await run(page);
    await page.getByText(/^Cost \d+, \d+ of \d+ left this second$/).waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain(`curl -sS ${gateway.url}/graphql`);
    expect(copied).toContain('acme-backend-engineer');
    expect(copied).not.toMatch(/eyJ/);
    expect(faults).toEqual([]);
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
  const answer = JSON.stringify(await (await answered).json());
  // The answer before stays until this one is drawn.
  const drawn = `document.querySelector('.graphiql-response .CodeMirror')?.CodeMirror.getValue() || 'null'`;
  await page.waitForFunction(`JSON.stringify(JSON.parse(${drawn})) === ${JSON.stringify(answer)}`);
  const shown = page.locator('.graphiql-response .CodeMirror-code', { hasText: 'data' });
  return (await shown.innerText()).replace(/\s+/g, ' ').trim();
}
