import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo } from 'mongoose';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DomainError } from '../../src/errors/domain-error.js';
import { createLog, reportTo } from '../../src/log/log.js';
import { parseSettings } from '../../src/settings/settings.js';
import { terminalLog } from '../../src/log/terminal-log.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { logInMemory } from '../support/log-in-memory.js';
import { ownGateway } from '../support/own-gateway.js';
import { sendRaw } from '../support/raw-http.js';
import { until } from '../support/until.js';
import { rest } from '../support/requests.js';
import { root } from '../support/process.js';
import { ownFolders } from '../support/own-folder.js';

/** A gateway for several tests, which writes the lines of the current test into `lines`. */
function recordingGateway(environment: Record<string, string> = {}) {
  const { log, lines } = logInMemory('trace');
  const gateway = ownGateway(environment, { log });
  beforeEach(() => void (lines.length = 0));
  return { gateway, lines };
}

/** How many requests the metrics have with this status. */
async function counted({ url }: TestGateway, status: number): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const series = `^gateway_request_duration_seconds_count\\{.*status="${status}"\\} (\\d+)$`;
  const counts = [...metrics.matchAll(new RegExp(series, 'gm'))];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm5lIn0.c2lnbmF0dXJl';

describe('log (Contract 9.3.7)', () => {
  const usual = recordingGateway();
  const hasty = recordingGateway({ REQUEST_TIMEOUT: '300ms' });

  it('has no line that is less severe than LOG_LEVEL', () => {
    const { log, parsed } = logInMemory(parseSettings({ LOG_LEVEL: 'error' }).logLevel);
    log.warn('less');
    log.error('as much');
    expect(parsed().map(({ msg }) => msg)).toEqual(['as much']);
  });

  it.each([
    ['a message', (text: string) => ({ path: text })],
    ['an error', (text: string) => ({ err: new Error(text) })],
    ['the cause of an error', (text: string) => ({ err: new Error('failed', { cause: new Error(text) }) })],
  ])('contains no token, e-mail address or credentials in %s', (_name, fields) => {
    const { log, lines } = logInMemory('trace');
    log.error(fields(`/jobs/x?token=${token}`), 'refused');
    log.error(fields('anne.martin@acme.example and anne.martin%40acme.example'), 'refused');
    // Credentials before a host without a dot don't look like an e-mail address.
    for (const host of ['db.example', 'localhost', '[::1]'])
      log.error(fields(`mongodb://admin:hunter2@${host}:27017/gateway`), 'refused');
    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toMatch(/eyJ|anne\.martin|admin|hunter2/);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: 'refused' });
  });

  it.each([
    ['jose%40mail.example', '[e-mail]'],
    ['josé@exämple.fr', '[e-mail]'],
    ['jos%C3%A9%40ex%C3%A4mple.fr', '[e-mail]'],
    ['jose@ex%c3%a4mple.fr', '[e-mail]'],
    ['jose@ex_ample.fr', '[e-mail]'],
    ['jose%40mail%2Eexample', '[e-mail]'],
    ['jose%2540mail.example', '[e-mail]'],
    ['jose%252540ex%2525c3%2525a4mple%25252efr', '[e-mail]'],
    ['jose@mail.example%2Fedit', '[e-mail]/edit'],
    // Fields for e-mail addresses reject these two texts, so the log keeps them.
    ['node_modules/@scope.d/name', 'node_modules/@scope.d/name'],
    ['jose%40localhost', 'jose%40localhost'],
  ])('shows %s in a path as %s', (path, logged) => {
    const { log, parsed } = logInMemory('trace');
    log.info({ path: `/jobs/${path}` }, 'answered');
    expect(parsed()).toMatchObject([{ path: `/jobs/${logged}` }]);
  });

  it('writes an error at the level of its code, with the request id', () => {
    const { log, parsed } = logInMemory('trace');
    const address = null;
    const fatal = new DomainError('internal-error', { cause: new Error('disk full') });
    reportTo(log)([fatal], { requestId: 'r-1', address });
    reportTo(log)([new DomainError('job-not-found')], { requestId: 'r-2', address });
    expect(parsed()).toMatchObject([
      { level: 50, requestId: 'r-1', code: 'internal-error', err: { message: 'disk full' } },
      { level: 20, requestId: 'r-2', code: 'job-not-found' },
    ]);
  });

  it('prints the reason of an error once, even if the message contains it', () => {
    const { log, parsed } = logInMemory('trace');
    const cause = new Error('not JSON');
    log.warn({ err: new Error('key file keys.json: not JSON', { cause }) }, 'read again');
    log.warn({ err: new Error('fetch failed', { cause }) }, 'fetched');
    const outage = new DomainError('service-unavailable', { cause: new Error('not JSON', { cause }) });
    reportTo(log)([outage], { requestId: 'r-1', address: null });
    const circular = new Error('circular');
    circular.cause = new Error('its cause', { cause: circular });
    log.warn({ err: circular }, 'told once each');
    log.warn({ err: { message: 'made by hand' } }, 'no Error');
    expect(parsed()).toMatchObject([
      { err: { message: 'key file keys.json: not JSON' } },
      { err: { message: 'fetch failed: not JSON' } },
      { reason: 'not JSON' },
      { err: { message: 'circular: its cause' } },
      { err: { message: 'made by hand' } },
    ]);
  });

  it('has the stack of an internal error, but only the reason of an outage', () => {
    const { log, lines, parsed } = logInMemory('trace');
    for (const code of ['internal-error', 'service-unavailable'] as const)
      reportTo(log)([new DomainError(code, { cause: new Error('no route', { cause: new Error('down') }) })], {
        requestId: 'r-1',
        address: null,
      });
    expect(parsed()).toEqual([
      expect.objectContaining({ level: 50, err: expect.objectContaining({ stack: expect.any(String) }) }),
      expect.objectContaining({ level: 50, requestId: 'r-1', reason: 'no route: down' }),
    ]);
    expect(lines[1]).not.toContain('log.test');
  });

  it('records status 499, not an error, for a caller who hangs up mid-body (Contract 9.3.7)', async () => {
    const { gateway, lines } = usual;
    const { hostname, port } = new URL(gateway.url);
    for (const path of ['/jobs/acme-backend-engineer', '/graphql']) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await gateway.token()}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"',
      );
      await sleep(200);
      socket.destroy();
    }
    const left = () => lines.filter((line) => line.includes('"left"'));
    await until(() => left().length === 2);
    const written = lines.map((line) => JSON.parse(line) as { level: number; msg: string; status?: number });
    expect(written.filter(({ level }) => level >= 50)).toEqual([]);
    expect(written.filter(({ msg }) => msg === 'left').map(({ status }) => status)).toEqual([499, 499]);
  });

  it.each<[string, number, string, string | undefined, string | undefined]>([
    ['that is not HTTP', 400, 'nonsense\r\n\r\n', undefined, undefined],
    [
      'whose headers are too long',
      431,
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      undefined,
      undefined,
    ],
    ['whose headers stop', 408, 'GET / HTTP/1.1\r\n', undefined, undefined],
    ['without a host', 400, 'GET /health HTTP/1.1\r\n\r\n', '/health', undefined],
    [
      'with an Expect header that cannot be met',
      417,
      'GET /health HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      '/health',
      undefined,
    ],
    [
      'for a path that cannot be decoded',
      400,
      'GET /%zz HTTP/1.1\r\nHost: a\r\nX-Request-Id: r-1\r\n\r\n',
      '/%zz',
      'r-1',
    ],
    [
      'whose body stops',
      408,
      'POST /graphql HTTP/1.1\r\nHost: a\r\nX-Request-Id: r-2\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      '/graphql',
      'r-2',
    ],
  ])(
    'and metrics each have one entry for a request %s, which gets status %d (Contract 7.2.2)',
    async (_what, status, bytes, path, requestId) => {
      const { gateway, lines } = hasty;
      const before = await counted(gateway, status);
      const reply = await sendRaw(gateway, bytes);
      const answered = () =>
        lines
          .map(
            (line) => JSON.parse(line) as { msg: string; requestId?: string; path?: string; status: number },
          )
          .filter(({ msg, path }) => (msg === 'answered' || msg === 'left') && path !== '/metrics');
      await until(() => answered().length > 0);
      const told = answered().map((line) => [line.status, line.path, line.requestId]);
      expect(reply.status).toBe(status);
      expect(told).toEqual([[status, path, requestId]]);
      expect(await counted(gateway, status)).toBe(before + 1);
    },
  );

  it('has probes and scrapes at the level debug alone', async () => {
    const { gateway, lines } = usual;
    lines.splice(0);
    for (const path of ['/health', '/ready', '/metrics', '/docs']) await fetch(gateway.url + path);
    const answered = () =>
      lines.map((line) => JSON.parse(line) as { level: number; path?: string; msg: string });
    await until(() => answered().some(({ path }) => path === '/docs'));
    expect(answered().map(({ level, path }) => [level, path])).toEqual([
      [20, '/health'],
      [20, '/ready'],
      [20, '/metrics'],
      [30, '/docs'],
    ]);
  });

  it('has a debug line for each refusal, with code, request id and, for a bad token, the fault', async () => {
    const { gateway, lines } = usual;
    const replies = [
      await rest(gateway, 'GET', '/references/worktime', undefined, { token: 'x.y.z' }),
      await rest(gateway, 'GET', '/nothing', undefined),
    ];
    const refused = () => lines.filter((line) => line.includes('"refused"'));
    await until(() => refused().length === 2);
    const told = refused().map((line) => JSON.parse(line) as object);
    const [idOfToken, idOfPath] = replies.map(({ headers }) => headers.get('x-request-id'));
    const ofToken = { level: 20, requestId: idOfToken, code: 'unauthorized-limitation' };
    expect(told).toMatchObject([
      { ...ofToken, err: { message: expect.stringContaining('base64url decode the payload') } },
      { level: 20, requestId: idOfPath, code: 'not-found' },
    ]);
  });

  it('counts refusals for lack of authority or quota in at most one warning per address and minute, and has the address in no other line', async () => {
    const { log, lines } = logInMemory('trace');
    const gateway = await startTestGateway(
      { TRUSTED_PROXIES: '127.0.0.1', AUTH_FAILURE_QUOTA: '20/1m', READ_QUOTA: '1/1m' },
      { log },
    );
    const valid = await gateway.token();
    // Fake only `setTimeout`.
    const real = [
      'Date',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
    ] as const;
    const readFrom = (address: string, token: string) =>
      rest(gateway, 'GET', '/references/worktime', undefined, {
        token,
        headers: { 'x-forwarded-for': address },
      });
    jest.useFakeTimers({ doNotFake: [...real, 'nextTick', 'queueMicrotask', 'hrtime', 'performance'] });
    for (let at = 0; at < 30; at += 1) await readFrom('203.0.113.7', 'x.y.z');
    for (let at = 0; at < 3; at += 1) await readFrom('[2001:db8::1]:4711', valid);
    const warnings = () =>
      lines
        .map((line) => JSON.parse(line) as { level: number; address?: string })
        .filter(({ address }) => address !== undefined);
    const warning = { level: 40, msg: 'an address was refused', requestId: expect.any(String) };
    const firstOfEach = [
      { ...warning, address: '203.0.113.7', code: 'unauthorized-limitation', count: 1 },
      { ...warning, address: '2001:db8::1', code: 'rate-limit-exceeded', count: 1 },
    ];
    expect(warnings()).toMatchObject(firstOfEach);
    jest.advanceTimersByTime(60_000);
    expect(warnings()).toMatchObject([
      ...firstOfEach,
      { ...warning, address: '203.0.113.7', code: 'rate-limit-exceeded', count: 29 },
      { ...warning, address: '2001:db8::1', code: 'rate-limit-exceeded', count: 1 },
    ]);
    jest.advanceTimersByTime(120_000);
    jest.useRealTimers();
    await gateway.stop();
    expect(lines.filter((line) => /203\.0\.113|2001:db8|127\.0\.0\.1/.test(line))).toHaveLength(4);
  });

  it('says what a slow start is doing', async () => {
    const noticesOf = async () => {
      const { log, lines } = logInMemory('trace');
      const gateway = await startTestGateway({}, { log });
      await gateway.stop();
      return lines.filter((line) => line.includes('indexes can take a while')).length;
    };
    expect(await noticesOf()).toBe(0);
    const { prototype } = mongo.Collection;
    const createIndexes = jest.spyOn(prototype, 'createIndexes').mockImplementation(async () => {
      await sleep(2_500);
      return [];
    });
    expect(await noticesOf()).toBe(1);
    createIndexes.mockRestore();
  });

  it('has one line per request, without the tokens and e-mail addresses that callers send', async () => {
    const { gateway, lines } = usual;
    const valid = await gateway.token();
    const form = {
      media_public_id: 'demo-media',
      company_public_id: 'acme',
      manager_emails: 'anne.martin@acme.example;nonsense',
    };
    await rest(gateway, 'POST', '/jobs/acme-backend-engineer', { form }, { token: valid });
    await rest(gateway, 'POST', `/jobs/x?access_token=${valid}`, { form }, { token: `${valid}x` });
    await rest(gateway, 'GET', `/${encodeURIComponent('anne.martin@acme.example')}`, undefined);
    await until(() => lines.filter((line) => line.includes('"answered"')).length >= 3);
    expect(lines.filter((line) => line.includes('"answered"'))).toHaveLength(3);
    expect(lines.join('')).not.toMatch(/eyJ|anne\.martin/);
  });

  const part = (text: string) => Buffer.from(text).toString('base64url');
  const secret = `${part('{"sub":"anne"}')}.${'s'.repeat(43)}`;
  it.each([
    ['a token with dots as %2E', `${part('{"alg":"RS256"}')}.${secret}`.replaceAll('.', '%2E')],
    ['a token with dots as %252e', `${part('{"alg":"RS256"}')}.${secret}`.replaceAll('.', '%252e')],
    ['a token with its first letters encoded', `%65%79${part('{"alg":"RS256"}').slice(2)}.${secret}`],
    ...['{ "alg"', '{\n  "alg"', '\t{"alg"', ' \r\n{\r\n"alg"'].map((start) => [
      `a token whose header begins with ${JSON.stringify(start)}`,
      `prefix_${part(`${start}:"RS256"}`)}.${secret}`,
    ]),
    ['credentials after //', 'https:%2F%2Fanne:p@ss@acme.example'],
    ['credentials with an encoded slash', 'https://anne:ss%2Fss@acme.example'],
    ['credentials after an encoded ://', 'https%3A%2F%2Fanne:ssss@acme.example'],
    ['credentials after an encoded // alone', '%252F%252fanne%3Assss%40acme'],
  ])('does not show %s, in path or client (Contract 9.3.7)', async (_, secret) => {
    const { gateway, lines } = usual;
    lines.length = 0;
    const headers = { 'apollographql-client-name': secret, 'apollographql-client-version': secret };
    await rest(gateway, 'GET', `/${secret}`, undefined, { headers });
    await until(() => lines.some((line) => line.includes('"answered"')));
    expect(lines.join('')).toMatch(/"path":"[^"]*\[(token|credentials)\]/);
    expect(lines.join('')).toMatch(/"client":"[^"]*\[(token|credentials)\]/);
    expect(lines.join('')).not.toMatch(/ss|eyJ|anne/);
  });
});

/** Runs a program in a terminal; part of util-linux. */
const script = '/usr/bin/script';
const onATerminal = existsSync(script) ? it : it.skip;

describe('log at a terminal', () => {
  const lines: string[] = [];
  const log = createLog(
    { logLevel: 'trace', environment: 'development' },
    terminalLog((text) => lines.push(text)) ?? undefined,
  );
  const last = () => lines.at(-1)?.replace(/^\[\d\d:\d\d:\d\d\] /, '');

  it('shows a request on one line, with the unit of its duration', () => {
    log.info({ requestId: 'r-1', method: 'POST', path: '/jobs/a', status: 200, ms: 12 }, 'answered');
    expect(lines.at(-1)).toMatch(/^\[\d\d:\d\d:\d\d\] /);
    expect(last()).toBe('INFO: POST /jobs/a 200 12 ms {"requestId":"r-1"}\n');
  });

  it('shows only settings that differ from their defaults', () => {
    log.info({ settings: { PORT: 4_001, JOB_LIFETIME: '90d', DATABASE_TIMEOUT: '2s' } }, 'starting');
    expect(last()).toBe('INFO: starting {"settings":{"PORT":4001,"DATABASE_TIMEOUT":"2s"}}\n');
  });

  it('shows the stack of an error below its line, and no secret (Contract 9.3.7)', () => {
    log.error({ err: new Error('mongodb://admin:hunter2@db.example/gateway') }, 'the stop failed');
    expect(last()).toMatch(/^ERROR: the stop failed \n[^]*Error: mongodb:.*\[credentials\]@.*\n +at /);
    expect(last()).not.toContain('hunter2');
  });

  // For JSON, one line is enough: a gateway writes its lines with the same function.
  const aLine =
    "import('./dist/log/log.js').then(({ createLog }) => createLog({ logLevel: 'info', environment: 'test' }).info('ready'))";
  const newFolder = ownFolders();
  onATerminal.each([
    [
      'development',
      'writes text',
      'dist/main.js',
      /^\[\d\d:\d\d:\d\d\] INFO: ready \{"url":"http:\/\/127\.0\.0\.1:\d+"/m,
    ],
    ['test', 'writes JSON', `-e "${aLine}"`, /^\{"level":30,.*"msg":"ready"\}/m],
  ])('in the environment %s %s', async (environment, _what, program, ready) => {
    const dataDir = newFolder();
    const inherited = { ...process.env };
    delete inherited.MONGODB_URI;
    const child = spawn(script, ['-qefc', `exec node ${program}`, '/dev/null'], {
      cwd: root,
      env: {
        ...inherited,
        NODE_OPTIONS: '',
        NO_COLOR: '1',
        DATA_DIR: dataDir,
        PORT: '0',
        NODE_ENV: environment,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const closed = once(child, 'close');
    let shown = '';
    for await (const text of child.stdout) {
      shown += String(text);
      if (ready.test(shown)) break;
    }
    child.kill('SIGTERM');
    await closed;
    expect(shown).toMatch(ready);
  });
});
