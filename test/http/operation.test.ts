import { describe, expect, it } from '@jest/globals';
import { assertDocumented } from '../support/documented-reply.js';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway();

async function get(path: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(gateway.url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('operation', () => {
  it('needs no token (Contract 5.1.2, 11.1)', async () => {
    const pages = ['/', '/docs', '/explorer', '/contract'];
    for (const path of ['/health', '/ready', '/metrics', '/openapi.json', ...pages])
      expect((await get(path)).status).toBe(200);
    expect((await get(`/logos/${'0'.repeat(64)}`)).status).toBe(404);
  });

  it('tells on /health that the process serves (Contract 11.1)', async () => {
    expect((await get('/health')).text).toBe('{"status":"ok"}');
  });

  it('tells on /ready each check and whether all hold (Contract 11.1)', async () => {
    const { status, headers, text } = await get('/ready');
    const body = JSON.parse(text) as { status: string; checks: Record<string, boolean> };
    assertDocumented({ method: 'GET', path: '/ready' }, { status, headers, body });
    expect(body.status).toBe('ready');
    expect(body.checks).toMatchObject({ accepting: true, database: true, archiver: true });
  });

  it('counts on /metrics by route, never by the path that a caller wrote (Contract 11.1)', async () => {
    await get('/logos/secret-name');
    const { headers, text } = await get('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    for (const name of [
      'gateway_request_duration_seconds_bucket',
      'gateway_quota_refusals_total',
      'gateway_archiver_lag_seconds',
      'process_cpu_seconds_total',
    ])
      expect(text).toContain(name);
    expect(text).toContain('route="/logos/:hash"');
    expect(text).not.toContain('secret-name');
  });
});
