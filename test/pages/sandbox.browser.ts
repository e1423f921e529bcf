import { expect, it } from '@jest/globals';
import { describeInBrowser, ownBrowser } from '../support/browser.js';
import { ownGateway } from '../support/own-gateway.js';

describeInBrowser('Apollo Sandbox in a browser', () => {
  const gateway = ownGateway({ NODE_ENV: 'development' });
  const browser = ownBrowser();

  it('can load its script and its frame, and call the gateway', async () => {
    const page = await (await browser().newContext()).newPage();
    const violations: string[] = [];
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
    });
    // A stand-in for Apollo's script.
    await page.route('https://embeddable-sandbox.cdn.apollographql.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.EmbeddedSandbox = class {
          constructor({ target, initialEndpoint, initialState: { headers } }) {
            const frame = document.createElement('iframe');
            frame.src = 'https://sandbox.embed.apollographql.com/sandbox/explorer';
            document.querySelector(target).append(frame);
            fetch(initialEndpoint, {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...headers },
              body: JSON.stringify({ query: '{ viewer { subject } }' }),
            }).then((reply) => reply.json()).then((answer) => { document.body.append('called by ' + answer.data.viewer.subject); });
          }
        };`,
      }),
    );
    await page.route('https://sandbox.embed.apollographql.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Sandbox' }),
    );
    for (const other of [
      'https://fonts.googleapis.com/**',
      'https://apollo-server-landing-page.cdn.apollographql.com/**',
    ])
      await page.route(other, (route) => route.abort());
    await page.goto(`${gateway.url}/graphql`);
    await page.getByText('called by developer').waitFor({ state: 'attached' });
    await page.frameLocator('iframe').getByText('Sandbox').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.waitForURL(`${gateway.url}/`);
    expect(violations).toEqual([]);
  });

  it('can call the gateway from studio.apollographql.com', async () => {
    const context = await browser().newContext();
    // Chromium asks the user before a public page may call this machine.
    await context.grantPermissions(['local-network-access'], { origin: 'https://studio.apollographql.com' });
    const page = await context.newPage();
    await page.route('https://studio.apollographql.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Studio' }),
    );
    await page.goto('https://studio.apollographql.com/sandbox/explorer');
    const token = await gateway.token({ sub: 'studio' });
    const answer = await page.evaluate(
      async ({ url, authorization }) => {
        const reply = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ query: '{ viewer { subject } }' }),
        });
        return reply.json();
      },
      { url: `${gateway.url}/graphql`, authorization: `Bearer ${token}` },
    );
    expect(answer).toMatchObject({ data: { viewer: { subject: 'studio' } } });
  });

  it('shows links to the other pages when its scripts cannot be loaded', async () => {
    const page = await (await browser().newContext()).newPage();
    await page.route(/^https:/, (route) => route.abort());
    await page.goto(`${gateway.url}/graphql`);
    await page.getByRole('main').getByRole('link', { name: 'explorer' }).click();
    await page.getByRole('button', { name: 'UpdateJob' }).waitFor();
  });
});
