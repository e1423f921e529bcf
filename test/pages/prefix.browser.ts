import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { describeInBrowser, ownBrowser, openPage } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { type PrefixProxy, startPrefixProxy } from '../support/prefix.js';

describeInBrowser('pages behind a proxy that serves the gateway under a path (Contract 11.10)', () => {
  let proxy: PrefixProxy;
  let gateway: TestGateway;
  beforeAll(async () => {
    proxy = await startPrefixProxy(() => gateway.url);
    gateway = await startTestGateway({ NODE_ENV: 'development', PUBLIC_URL: proxy.url });
  });
  afterAll(() => proxy.stop());
  afterAll(() => gateway.stop());
  const browser = ownBrowser();

  const open = (path: string) => openPage(browser(), proxy.url + path);
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

  it('/ is styled, and links to the contract and back', async () => {
    const { page, faults } = await open('/');
    await follow(page, 'Contract');
    await page.locator('[id="1.1"]').waitFor();
    expect(page.url()).toBe(`${proxy.url}/contract`);
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).not.toBe('none');
    await follow(page, 'Home');
    await page.waitForURL(`${proxy.url}/`);
    expect([faults, proxy.strayed]).toEqual([[], []]);
  });

  it("/docs runs an update, shows the proxy's address, and links to /", async () => {
    const { page, faults } = await open('/');
    await follow(page, 'REST reference');
    const section = page.locator('#operations-companies-updateCompany');
    await section.locator('.opblock-summary-control').click();
    await section.locator('summary').first().click();
    expect(await section.locator('.opblock-description').innerText()).toContain(
      `curl -X PATCH "${proxy.url}/companies"`,
    );
    await section.getByRole('button', { name: 'Execute' }).click();
    const reply = section.locator('.live-responses-table .response-col_status').nth(1);
    await reply.waitFor();
    expect((await reply.innerText()).trim()).toBe('201');
    await follow(page, 'Home');
    await page.waitForURL(`${proxy.url}/`);
    expect([faults, proxy.strayed]).toEqual([[], []]);
  });

  it('/explorer reads the schema, runs an operation in its editor, and links to / and /docs', async () => {
    const { page, faults } = await open('/');
    await follow(page, 'GraphQL explorer');
    await page.getByRole('button', { name: 'UpdateJob' }).waitFor();
    await page.locator('.CodeMirror-linenumber').first().waitFor();
    await page.getByRole('button', { name: /^Execute/ }).click();
    await page.locator('.graphiql-response').getByText('"job"').waitFor();
    await follow(page, 'Home');
    await page.waitForURL(`${proxy.url}/`);
    await page.goBack();
    await follow(page, 'REST reference');
    await page.locator('.opblock-summary').first().waitFor();
    expect(page.url()).toBe(`${proxy.url}/docs`);
    expect([faults, proxy.strayed]).toEqual([[], []]);
  });

  it('/graphql links to the other pages when Sandbox cannot be loaded', async () => {
    const { page } = await open('/graphql');
    await follow(page, 'Home');
    await follow(page, 'GraphQL');
    await follow(page, 'GraphiQL');
    await page.getByRole('button', { name: 'UpdateJob' }).waitFor();
    expect(proxy.strayed).toEqual([]);
  });
});
