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
    expect(await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).not.toBe('none');
    await follow(page, 'Start');
    await page.waitForURL(`${proxy.url}/`);
    expect([faults, proxy.strayed]).toEqual([[], []]);
  });

  it("/docs runs an update, shows the proxy's address, and links to /", async () => {
    const { page, faults } = await open('/');
    await follow(page, 'REST');
    const section = page.locator('#updateCompany');
    await section
      .locator('pre', { hasText: `curl -X PATCH "${proxy.url}/companies"` })
      .first()
      .waitFor();
    await section.locator('.try > summary').click();
    await section.getByRole('button', { name: 'Send' }).click();
    await section.locator('output', { hasText: /^201 / }).waitFor();
    await follow(page, 'Start');
    await page.waitForURL(`${proxy.url}/`);
    expect([faults, proxy.strayed]).toEqual([[], []]);
  });

  it('/explorer reads the schema, runs an operation in its editor, and links to / and /docs', async () => {
    const { page, faults } = await open('/');
    await follow(page, 'Explorer');
    await page.getByRole('button', { name: 'UpdateJob' }).waitFor();
    await page.locator('.CodeMirror-linenumber').first().waitFor();
    await page.getByRole('button', { name: /^Execute/ }).click();
    await page.locator('.graphiql-response').getByText('"job"').waitFor();
    await follow(page, 'Start');
    await page.waitForURL(`${proxy.url}/`);
    await page.goBack();
    await follow(page, 'REST');
    await page.locator('.operation').first().waitFor();
    expect(page.url()).toBe(`${proxy.url}/docs`);
    expect([faults, proxy.strayed]).toEqual([[], []]);
  });

  it('/graphql links to the other pages when Sandbox cannot be loaded', async () => {
    const { page } = await open('/graphql');
    await follow(page, 'Start');
    await follow(page, 'Apollo Sandbox');
    await page.getByRole('main').getByRole('link', { name: 'explorer' }).click();
    await page.getByRole('button', { name: 'UpdateJob' }).waitFor();
    expect(proxy.strayed).toEqual([]);
  });
});
