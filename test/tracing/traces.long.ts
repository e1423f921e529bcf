import { afterAll, describe, expect, it } from '@jest/globals';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { parseSettings } from '../../src/settings/settings.js';
import { endAll, startGatewayProcess } from '../support/process.js';
import { graphql } from '../support/requests.js';
import { tokenFactory } from '../support/tokens.js';
import { until } from '../support/until.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();
afterAll(endAll);

const start = (environment: Record<string, string>) =>
  startGatewayProcess({ DATA_DIR: folder, ...environment });
const token = async () => (await tokenFactory(parseSettings({ DATA_DIR: folder })))();

describe('traces', () => {
  it('delay neither replies nor the stop if the collector does not answer', async () => {
    const silent = createTcpServer((socket) => void socket.unref()).unref();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const running = await start({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      // A stop that waited for the collector would take this long.
      OTEL_EXPORTER_OTLP_TIMEOUT: '120000',
      OTEL_BSP_EXPORT_TIMEOUT: '120000',
    });
    const query = '{ viewer { subject } }';
    expect((await graphql(running, query, {}, { token: await token() })).body.data).toMatchObject({
      viewer: { subject: 'tester' },
    });
    const stoppedAt = performance.now();
    expect(await running.end('SIGTERM')).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(30_000);
    silent.close();
  });

  it("on the console don't end the process if the console closes (Contract 9.3.7)", async () => {
    const running = await start({ NODE_ENV: 'test', OTEL_TRACES_EXPORTER: 'console' });
    const ask = (path: string) => fetch(running.url + path);
    await ask('/nope');
    await until(() => running.output().includes("'http.request.method': 'GET'"));
    running.child.stdout?.destroy();
    for (let asked = 0; asked < 50; asked += 1) await ask('/nope');
    expect((await ask('/health')).status).toBe(200);
    expect(await running.end('SIGTERM')).toBe(0);
  });
});
