import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseSettings, SettingsError } from '../../src/settings/settings.js';
import { type Running, startGatewayProcess } from '../support/process.js';
import { sendRaw } from '../support/raw-http.js';
import { graphql, rest } from '../support/requests.js';
import { tokenFactory } from '../support/tokens.js';
import { until } from '../support/until.js';
import { ownFolders } from '../support/own-folder.js';
import { ofJob } from '../support/updates.js';

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Export {
  resourceSpans: {
    resource: { attributes: ExportedSpan['attributes'] };
    scopeSpans: { spans: ExportedSpan[] }[];
  }[];
}

/** Accepts OTLP as JSON over HTTP. */
let collector: Server;
let endpoint: string;
const exports: Export[] = [];
let received = '';

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received += body;
      if (request.url === '/v1/traces') exports.push(JSON.parse(body) as Export);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => collector.close(resolve)));

const newFolder = ownFolders();
let folder: string;
let gateway: Running | undefined;
beforeEach(() => void (folder = newFolder()));
afterEach(async () => {
  if (gateway && gateway.child.exitCode === null) await gateway.end('SIGKILL');
});

const start = async (environment: Record<string, string>) =>
  (gateway = await startGatewayProcess({ DATA_DIR: folder, ...environment }));
const token = async () => (await tokenFactory(parseSettings({ DATA_DIR: folder })))();

const spansOf = (traceId: string): ExportedSpan[] =>
  exports
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
    .flatMap(({ spans }) => spans)
    .filter((span) => span.traceId === traceId);
const valueOf = ({ attributes }: ExportedSpan, key: string) =>
  Object.values(attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

describe('traces (Contract 11.7)', () => {
  it('continue the caller’s traceparent through HTTP, GraphQL and MongoDB, even for unknown routes and refusals, and contain no values', async () => {
    const running = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_SERVICE_NAME: 'gateway-under-test',
      REQUEST_TIMEOUT: '1s',
    });
    const apis = { rest: 'a'.repeat(32), graphql: 'b'.repeat(32) };
    const parent = 'c'.repeat(16);
    const headersOf = (api: keyof typeof apis) => ({
      traceparent: `00-${apis[api]}-${parent}-01`,
      tracestate: 'vendor=secret-state',
      baggage: 'key=secret-baggage',
      'x-request-id': `request-${api}`,
    });
    const bearer = await token();

    const form = {
      media_public_id: 'demo-media',
      company_public_id: 'acme',
      salary: 'secret-salary',
      manager_emails: 'anne.martin@acme.example',
    };
    const path = '/jobs/acme-backend-engineer';
    expect(
      (await rest(running, 'POST', path, { form }, { token: bearer, headers: headersOf('rest') })).status,
    ).toBe(200);
    const query = `mutation brought ($input: UpdateJobInput!) { brought: updateJob(input: $input) { job { salary } } }`;
    const input = { ...ofJob, salary: 'secret-wage' };
    const reply = await graphql(running, query, { input }, { token: bearer, headers: headersOf('graphql') });
    expect(reply.body.errors).toBeUndefined();
    await fetch(`${running.url}/health`, { headers: { traceparent: `00-${'d'.repeat(32)}-${parent}-01` } });
    const heads = {
      1: 'GET /secret-path HTTP/1.1\r\nHost: here',
      2: 'GET /graphql/ HTTP/1.1\r\nHost: here',
      3: 'POST /jobs/%ff HTTP/1.1\r\nHost: here',
      4: 'GET /graphql HTTP/1.1\r\nHost: here\r\nHost: there',
      5: 'DELETE /companies HTTP/1.1\r\nHost: here',
      6: `PATCH /companies HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\nAuthorization: Bearer ${bearer}`,
    };
    for (const [digit, head] of Object.entries(heads)) {
      const traceparent = `00-${digit.repeat(32)}-${parent}-01`;
      await sendRaw(
        running,
        `${head}\r\nTraceparent: ${traceparent}\r\nX-Request-Id: request-${digit}\r\n\r\n`,
      );
    }
    expect(await running.end('SIGTERM')).toBe(0);

    for (const [api, route] of [
      ['rest', 'POST /jobs/:jobPublicId'],
      ['graphql', 'POST /graphql'],
    ] as const) {
      const spans = spansOf(apis[api]);
      const http = spans.filter(({ parentSpanId }) => parentSpanId === parent);
      expect(http.map(({ name, kind }) => ({ name, kind }))).toEqual([{ name: route, kind: 2 }]);
      expect(valueOf(http[0] as ExportedSpan, 'http.response.status_code')).toBe(200);
      expect(valueOf(http[0] as ExportedSpan, 'gateway.request_id')).toBe(`request-${api}`);
      const operations = spans.filter(({ parentSpanId }) => parentSpanId === http[0]?.spanId);
      expect(operations.map(({ name }) => name)).toEqual(['mutation updateJob']);
      const commands = spans.filter(({ parentSpanId }) => parentSpanId === operations[0]?.spanId);
      expect(commands.map(({ name }) => name)).toContain('findAndModify jobs');
      expect(commands.every(({ kind }) => kind === 3)).toBe(true);
      // Host and port are separate attributes: a collector would group host:port as another host.
      for (const command of commands) {
        expect(valueOf(command, 'server.address')).toBe('127.0.0.1');
        expect(Number(valueOf(command, 'server.port'))).toBeGreaterThan(0);
      }
    }
    expect(spansOf('d'.repeat(32))).toEqual([]);
    expect(JSON.stringify(exports[0]?.resourceSpans[0]?.resource)).toContain('gateway-under-test');
    const told = Object.keys(heads).map((digit) =>
      spansOf(digit.repeat(32)).map((span) => [
        span.name,
        span.parentSpanId,
        valueOf(span, 'http.response.status_code'),
        valueOf(span, 'gateway.request_id'),
        valueOf(span, 'error.type'),
      ]),
    );
    expect(told).toEqual([
      [['GET', parent, 404, 'request-1', undefined]],
      [['GET', parent, 404, 'request-2', undefined]],
      // No span: the request is refused before it reaches a route.
      [],
      [['GET /graphql', parent, 400, 'request-4', undefined]],
      [['DELETE /companies', parent, 405, 'request-5', undefined]],
      [['PATCH /companies', parent, 408, 'request-6', undefined]],
    ]);
    expect(received).not.toMatch(/secret|eyJ|anne\.martin|acme-backend-engineer|brought|there/);
  });

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

  it("on the console wait for a slow reader up to a limit, and don't end the process if the console closes (Contract 11.5)", async () => {
    // Every span prints this name, so a few hundred spans reach the limit.
    const OTEL_SERVICE_NAME = 'x'.repeat(2_000);
    const running = await start({ NODE_ENV: 'test', OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME });
    const { stdout } = running.child;
    const ask = (id: string) => fetch(`${running.url}/nope`, { headers: { 'x-request-id': id } });
    const askOften = async (times: number) => {
      for (let asked = 0; asked < times; asked += 10)
        await Promise.all(Array.from({ length: 10 }, () => ask('x'.repeat(128))));
    };
    stdout?.pause();
    const readBefore = running.output().length;
    await askOften(700);
    stdout?.resume();
    await until(async () => {
      await ask('the-last-one');
      return /gateway\.request_id': 'the-last-one'/.test(running.output());
    });
    // Log lines have their own limit.
    const spans = running
      .output()
      .slice(readBefore)
      .replace(/^\{"level".*\n/gm, '');
    expect(spans.length).toBeGreaterThan(2 ** 20);
    expect(spans.length).toBeLessThan(1.5 * 2 ** 20);
    stdout?.destroy();
    await askOften(50);
    expect((await fetch(`${running.url}/health`)).status).toBe(200);
    expect(await running.end('SIGTERM')).toBe(0);
  });

  it('are off by default, without loading OpenTelemetry’s SDK', async () => {
    const coverage = join(folder, 'coverage');
    const running = await start({ NODE_V8_COVERAGE: coverage });
    await sleep(100);
    expect(await running.end('SIGTERM')).toBe(0);
    const loaded: string[] = [];
    for (const file of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as {
        result: { url: string }[];
      };
      loaded.push(...result.map(({ url }) => url));
    }
    expect(loaded.filter((url) => url.includes('/dist/gateway.js'))).toHaveLength(1);
    expect(loaded.filter((url) => /opentelemetry\/(sdk|exporter)|dist\/tracing\//.test(url))).toEqual([]);
  });

  it.each([
    [{}, undefined],
    [{ OTEL_SERVICE_NAME: 'gateway' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, 'http/protobuf'],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_TRACES_EXPORTER: ' ' }, undefined],
    [{ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '0' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: ' 1 ' }, 'http/protobuf'],
  ])('with the variables %p use the exporter %p', (environment, exporter) => {
    expect(parseSettings(environment).traceExporter).toBe(exporter);
  });

  it.each([
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: must be otlp, console or none, not "zipkin"'],
    [
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json, not "grpc"',
    ],
    [
      { OTEL_TRACES_EXPORTER: 'http/json' },
      'OTEL_TRACES_EXPORTER: must be otlp, console or none, not "http/json"',
    ],
    [
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'console' },
      'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json, not "console"',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: must be http/protobuf or http/json, not "grpc"\n' +
        'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https URL, not the given value',
    ],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'no url' },
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: must be an http or https URL, not the given value',
    ],
    [
      {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '0',
        OTEL_BSP_MAX_QUEUE_SIZE: '-1',
        OTEL_BSP_SCHEDULE_DELAY: '0.5',
        OTEL_BSP_EXPORT_TIMEOUT: '9999999999',
      },
      [
        'OTEL_BSP_MAX_EXPORT_BATCH_SIZE: must be a whole number from 1 to 999999999, not "0"',
        'OTEL_BSP_MAX_QUEUE_SIZE: must be a whole number from 1 to 999999999, not "-1"',
        'OTEL_BSP_SCHEDULE_DELAY: must be a whole number from 1 to 999999999, not "0.5"',
        'OTEL_BSP_EXPORT_TIMEOUT: must be a whole number from 1 to 999999999, not "9999999999"',
      ].join('\n'),
    ],
  ])('with invalid variables fail the start with every fault: %p', (environment, fault) => {
    expect(() => parseSettings(environment)).toThrow(new SettingsError(fault));
  });
});
