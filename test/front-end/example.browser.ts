import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { describeInBrowser, openPage, ownBrowser } from '../support/browser.js';
import { type Running, startExample, startGatewayProcess } from '../support/process.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();

describeInBrowser('npm run example', () => {
  let gateway: Running;
  const browser = ownBrowser();
  const environment = { DATA_DIR: folder };
  beforeAll(async () => {
    gateway = await startGatewayProcess(environment);
  });
  afterAll(() => gateway.end('SIGTERM'));

  it('serves an admin that is signed in, saves a job, and shows the logo of the demo company', async () => {
    const example = await startExample(gateway.url, environment);
    try {
      const { page, context } = await openPage(browser(), 'about:blank');
      await context.unrouteAll();
      await page.goto(example.url);
      await page.getByRole('link', { name: 'Backend Engineer' }).click();
      await page.getByLabel('Salary, as shown').fill('55 000 €');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
      await page.locator('main').getByRole('link', { name: 'Acme' }).click();
      await page.waitForFunction('document.querySelector(".drop img")?.naturalWidth === 128');
      await context.close();
    } finally {
      await example.end('SIGTERM');
    }
  });

  it('signs no token except in development, and for no host but this machine', async () => {
    await expect(startExample(gateway.url, { ...environment, NODE_ENV: 'test' })).rejects.toThrow(
      'The example signs tokens: it runs in development alone.',
    );
    const example = await startExample(gateway.url, environment);
    try {
      const { port } = new URL(example.url);
      const ask = (host: string) =>
        new Promise<number | undefined>((resolve) => {
          request({ port, path: '/token', headers: { host } }, ({ statusCode }) => resolve(statusCode)).end();
        });
      expect([await ask('evil.example'), await ask('localhost')]).toEqual([403, 200]);
    } finally {
      await example.end('SIGTERM');
    }
  });

  it('says that no gateway answers', () =>
    expect(startExample('http://127.0.0.1:1', environment)).rejects.toThrow(
      'No gateway answers at http://127.0.0.1:1. Start it with npm start.',
    ));
});
