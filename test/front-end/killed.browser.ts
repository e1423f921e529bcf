import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { ownFolder } from '../reliability/support/installation.js';
import { describeInBrowser, openBrowser } from '../support/browser.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { graphql } from '../support/requests.js';
import { startSite } from '../support/site.js';

/** A TCP proxy in front of a gateway that the test can replace. Withholds the reply to the first request that contains `words`. */
class Way {
  /** The gateway's port; null while no gateway runs. */
  target: number | null = null;
  requests = 0;
  private readonly server: Server;
  private replyKept!: () => void;
  /** Resolves when the withheld reply has arrived. */
  readonly kept = new Promise<void>((resolve) => (this.replyKept = resolve));

  constructor(words: string) {
    this.server = createServer((near) => {
      if (this.target === null) return near.destroy();
      const far = connect(this.target, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const)
        socket.on('error', () => undefined).on('close', () => other.destroy());
      let isKept = false;
      near.on('data', (bytes: Buffer) => {
        if (bytes.includes(words)) isKept = (this.requests += 1) === 1;
        far.write(bytes);
      });
      far.on('data', (bytes: Buffer) => {
        if (isKept) this.replyKept();
        else near.write(bytes);
      });
      return near;
    });
  }

  async open(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
  }
}

const historyOf = `query { job(publicId: "acme-backend-engineer") { salary version history { edges { node { transport } } } } }`;

describeInBrowser('a front-end whose gateway is killed during a call', () => {
  it('resends the update with the same key to the next gateway, and the update is made once (Contract 9.3.9)', async () => {
    const { environment, token, remove } = await ownFolder();
    const way = new Way('mutation UpdateJob');
    const [site, url, browser] = await Promise.all([startSite(), way.open(), openBrowser()]);
    try {
      site.tokens = [token];
      const start = () => startGatewayProcess({ ...environment, CORS_ORIGINS: site.origin });
      const first = await start();
      way.target = Number(new URL(first.url).port);
      const page = await browser.newPage();
      await page.goto(`${site.origin}/?gateway=${encodeURIComponent(`${url}/graphql`)}`);
      await page.getByRole('button', { name: 'Backend Engineer' }).click();
      await page.getByRole('heading', { name: 'Backend Engineer' }).waitFor();
      const keys = new Set<unknown>();
      page.on('request', (request) => {
        const sent = request.postData();
        if (!sent?.includes('UpdateJob')) return;
        const { variables } = JSON.parse(sent) as { variables: { idempotencyKey: unknown } };
        keys.add(variables.idempotencyKey);
      });

      await page.getByLabel('Salary').fill('55 000 €');
      await page.getByRole('button', { name: 'Save the job' }).click();
      await way.kept;
      way.target = null;
      await first.end('SIGKILL');
      const second = await start();
      way.target = Number(new URL(second.url).port);
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();

      expect(way.requests).toBeGreaterThan(1);
      expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
      const { body } = await graphql(second, historyOf, {}, { token });
      expect(body.data).toEqual({
        job: { salary: '55 000 €', version: 2, history: { edges: [{ node: { transport: 'graphql' } }] } },
      });
    } finally {
      await browser.close();
      site.stop();
      way.close();
      await endAll();
      await remove();
    }
  });
});
