import { context, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { version } from '../../src/settings/version.js';
import { parseSettings, SettingsError } from '../../src/settings/settings.js';
import { startTracing } from '../../src/tracing/start-tracing.js';
import { startTestGateway } from '../support/gateway.js';
import { sendRaw } from '../support/raw-http.js';
import { graphql, rest } from '../support/requests.js';
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

const spansOf = (traceId: string): ExportedSpan[] =>
  exports
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
    .flatMap(({ spans }) => spans)
    .filter((span) => span.traceId === traceId);
const valueOf = ({ attributes }: ExportedSpan, key: string) =>
  Object.values(attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

describe('traces (Contract 9.3.8)', () => {
  it('continue the caller’s traceparent through HTTP, GraphQL and MongoDB, even for unknown routes and refusals, and contain no values', async () => {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_SERVICE_NAME: 'gateway-under-test',
    };
    Object.assign(process.env, variables);
    const tracing = startTracing('http/json');
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
    const running = await startTestGateway({ REQUEST_TIMEOUT: '1s' }, { tracing });
    const apis = { rest: 'a'.repeat(32), graphql: 'b'.repeat(32) };
    const parent = 'c'.repeat(16);
    const headersOf = (api: keyof typeof apis) => ({
      traceparent: `00-${apis[api]}-${parent}-01`,
      tracestate: 'vendor=secret-state',
      baggage: 'key=secret-baggage',
      'x-request-id': `request-${api}`,
    });
    const bearer = await running.token();

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
    const absent = { headers: { traceparent: `00-${'e'.repeat(32)}-${parent}-01` }, token: bearer };
    await graphql(running, '{ job(publicId: "none") { name } }', {}, absent);
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
    await running.stop();
    await tracing.stop();
    for (const api of [trace, context, propagation]) api.disable();

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
    const refused = spansOf('e'.repeat(32)).filter(({ name }) => name === 'query job');
    expect(refused.map((span) => valueOf(span, 'error.type'))).toEqual(['unauthorized-limitation']);
    const { attributes } = exports[0]!.resourceSpans[0]!.resource;
    expect(attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'gateway-under-test' } },
        { key: 'service.version', value: { stringValue: version } },
      ]),
    );
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
