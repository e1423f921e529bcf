import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A `describe` that is skipped, with a note, if no browser is installed. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (executablePath) return describe(title, tests);
  process.stderr.write(`Skipped: there is no Chromium at /usr/bin/chromium: ${title}\n`);
  describe.skip(`${title} (skipped: no Chromium)`, tests);
}

const openBrowser = (): Promise<Browser> =>
  chromium.launch({ args: flags, ...(executablePath && { executablePath }) });

/** Opens a browser for the surrounding tests, and closes its pages after each test. Call the returned function only inside a test. */
export function ownBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()));
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(() => browser.close());
  return () => browser;
}

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Refused requests to other origins, script errors, and errors on the console, such as policy violations. */
  faults: string[];
}

export const desktop = { width: 1280, height: 800 };
export const narrow = { width: 390, height: 844 };

/** Opens a page that can reach only the origin of `url`. */
export async function openPage(browser: Browser, url: string, viewport = desktop): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport });
  // A busy machine takes longer than Playwright’s default of 30 s.
  context.setDefaultTimeout(60_000);
  const faults: string[] = [];
  await context.route(
    (requested) => requested.origin !== new URL(url).origin && /^https?:|^wss?:/.test(requested.protocol),
    async (route) => {
      faults.push(`asked for ${route.request().url()}`);
      await route.abort();
    },
  );
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(url);
  return { page, context, faults };
}

export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
