import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser } from 'playwright-core';
import { describeInBrowser, desktop, narrow, openBrowser, overflows } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let browser: Browser;
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What shows that a page is drawn. */
const pages = {
  '/': 'a[href="/docs"]',
  '/contract': '[id="1.1"]',
  '/docs': '.opblock-summary',
  '/explorer': '.graphiql-response .graphiql-footer',
  '/graphql': 'main.fallback',
};

describeInBrowser('axe', () => {
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startTestGateway({ NODE_ENV: 'development' }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await gateway.stop();
  });

  it.each(Object.entries(pages))(
    'finds nothing on %s, light and dark, wide and narrow, where nothing lies beyond the edge',
    async (path, drawn) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        // The page's own policy would keep axe out.
        const context = await browser.newContext({ colorScheme, bypassCSP: true });
        await context.route(
          (url) => url.origin !== gateway.url && /^https?:/.test(url.protocol),
          (route) => route.abort(),
        );
        const page = await context.newPage();
        await page.goto(gateway.url + path);
        await page.locator(drawn).first().waitFor();
        if (path === '/explorer') await page.locator('.line-numbers').first().waitFor();
        await page.evaluate(axe);
        for (const viewport of [desktop, narrow]) {
          await page.setViewportSize(viewport);
          const found = await page.evaluate(
            `axe.run()
              .then(({ violations }) => violations.map(({ id, nodes }) =>
                [id, ...nodes.slice(0, 5).map(({ html, any }) => html.slice(0, 120) + ' ' + (any[0]?.message ?? ''))]))`,
          );
          expect([colorScheme, viewport.width, found]).toEqual([colorScheme, viewport.width, []]);
          expect(await overflows(page)).toBe(false);
        }
        await context.close();
      }
    },
  );
});
