import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Page } from 'playwright-core';
import { describeInBrowser, desktop, narrow, ownBrowser, overflows } from '../support/browser.js';
import { ownGateway } from '../support/own-gateway.js';
import { faintFocus } from '../support/focus.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For each page: an element that appears once the page is drawn, and the steps to its other states, in order. */
const pages: Record<string, [drawn: string, ...open: ((page: Page) => Promise<void>)[]]> = {
  '/': ['a[href="./docs"]', (page) => page.getByRole('tab', { name: 'PHP' }).click()],
  '/contract': [
    '[id="1.1"]',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').fill('salary');
      await page.locator('.search mark').first().waitFor();
    },
  ],
  '/errors': ['#version-conflict', (page) => page.getByRole('tab', { name: 'GraphQL' }).first().click()],
  '/changelog': ['h1'],
  '/handbook': ['#settings'],
  '/client': ['h1'],
  '/no-such-page': ['h1'],
  '/docs': [
    '.operation',
    async (page) => {
      const trial = page.locator('#getCompany .try');
      await trial.locator('summary').click();
      await trial.getByRole('button', { name: 'Send' }).click();
      await trial.locator('output', { hasText: 'ms' }).waitFor();
    },
    (page) => page.locator('#updateJob').getByRole('tab', { name: '412' }).click(),
    (page) => page.locator('#updateJob .more summary').click(),
    (page) => page.locator('#updateJob .try > summary').click(),
  ],
  '/explorer': [
    '.graphiql-response .graphiql-footer',
    (page) => page.getByRole('button', { name: 'Show Documentation Explorer' }).click(),
    (page) => page.getByRole('link', { name: 'Mutation', exact: true }).click(),
    (page) => page.getByRole('button', { name: 'UpdateCompany' }).click(),
    (page) => page.getByRole('button', { name: 'Open settings dialog' }).click(),
  ],
  '/graphql': ['main.fallback'],
};

describeInBrowser('axe accessibility check', () => {
  const gateway = ownGateway({ NODE_ENV: 'development' });
  const browser = ownBrowser();

  it.each(
    Object.entries(pages).flatMap(([path, states]) =>
      (['light', 'dark'] as const).map((colorScheme) => [path, colorScheme, states] as const),
    ),
  )(
    '%s in %s mode shows the focus, and has no axe fault or overflow in any state, wide or narrow',
    async (path, colorScheme, [drawn, ...open]) => {
      // The page's own policy would block axe.
      const context = await browser().newContext({ colorScheme, bypassCSP: true });
      context.setDefaultTimeout(120_000);
      await context.route(
        (url) => url.origin !== gateway.url && /^https?:/.test(url.protocol),
        (route) => route.abort(),
      );
      const page = await context.newPage();
      await page.goto(gateway.url + path);
      await page.locator(drawn).first().waitFor();
      if (path === '/explorer') await page.locator('.CodeMirror-linenumber').first().waitFor();
      await page.evaluate(axe);
      for (const [state, step] of [async () => undefined, ...open].entries()) {
        await page.setViewportSize(desktop);
        await step(page);
        // A fading element is too faint to show the focus.
        await page.addStyleTag({ content: '* { animation: none !important; transition: none !important; }' });
        expect([state, await faintFocus(page)]).toEqual([state, []]);
        for (const viewport of [desktop, narrow]) {
          await page.setViewportSize(viewport);
          const found = await page.evaluate(
            `axe.run({ resultTypes: ['violations'] })
              .then(({ violations }) => violations.map(({ id, nodes }) =>
                [id, ...nodes.slice(0, 5).map(({ html, any }) => html.slice(0, 120) + ' ' + (any[0]?.message ?? ''))]))`,
          );
          expect([state, viewport.width, found]).toEqual([state, viewport.width, []]);
          expect(await overflows(page)).toBe(false);
        }
      }
    },
  );
});
