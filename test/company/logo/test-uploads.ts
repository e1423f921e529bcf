import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { removeOrphanLogosTask } from '../../../src/archiver/upkeep.tasks.js';
import { LogoStore } from '../../../src/company/logo/logo-store.js';
import { inputName } from '../../support/input-name.js';
import { type TestGateway } from '../../support/gateway.js';
import { startCpuClock } from '../../support/prompt.js';
import { type GraphQLBody, type RestBody } from '../../support/requests.js';
import { taskRun } from '../../support/task-run.js';

export const APIS = ['rest', 'graphql'] as const;
export type UploadApi = (typeof APIS)[number];

const document = readFileSync(
  new URL('../../../schema/operations/update-company.graphql', import.meta.url),
  'utf8',
);
const boundary = '----a-boundary-of-the-suite';

/** `fields` has the field names of REST, even for GraphQL. */
export interface Upload {
  fields?: Record<string, string>;
  file: Uint8Array;
  fileName?: string;
  type?: string;
  /** The `Content-Transfer-Encoding` of the file. */
  encoding?: string;
  token?: string;
  headers?: Record<string, string>;
  dryRun?: boolean;
}

export interface UploadAnswer {
  status: number;
  /** Null for a success. */
  code: string | null;
  faults: string[];
  messages: string[];
  warnings: string[];
  logo: string | null;
  headers: Headers;
  /** Processor time of the test and the gateway from the last byte sent to the headers of the answer. */
  cpuMs: number;
}

/** `before` and `after` are the parts of the body around the file. */
export interface Framed {
  method: string;
  path: string;
  headers: Record<string, string>;
  before: Buffer;
  after: Buffer;
}

export function frame(api: UploadApi, upload: Omit<Upload, 'file'>): Framed {
  const fields = { media_public_id: 'demo-media', company_public_id: 'acme', ...upload.fields };
  const { fileName = 'logo.png', type = 'image/png', encoding, token, dryRun = false } = upload;
  const texts = api === 'rest' ? Object.entries(fields) : operationParts(fields, dryRun);
  const before = texts.map(([name, value]) => part(name) + `\r\n${value}\r\n`).join('');
  const encoded = encoding === undefined ? '' : `Content-Transfer-Encoding: ${encoding}\r\n`;
  const filePart = `${part(api === 'rest' ? 'logo' : '0', fileName)}${encoded}Content-Type: ${type}\r\n\r\n`;
  return {
    method: api === 'rest' ? 'PATCH' : 'POST',
    path: api === 'rest' ? '/companies' : '/graphql',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(api === 'graphql' && { 'apollo-require-preflight': 'true' }),
      ...(api === 'rest' && dryRun && { prefer: 'validate-only' }),
      ...upload.headers,
    },
    before: Buffer.from(before + filePart),
    after: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

const part = (name: string, fileName?: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n`;

function operationParts(fields: Record<string, string>, dryRun: boolean): [string, string][] {
  const input = Object.fromEntries(Object.entries(fields).map(([name, value]) => [inputName(name), value]));
  return [
    [
      'operations',
      JSON.stringify({ query: document, variables: { input: { ...input, logo: null }, dryRun } }),
    ],
    ['map', JSON.stringify({ 0: ['variables.input.logo'] })],
  ];
}

export async function sendLogo(
  gateway: Pick<TestGateway, 'url'>,
  api: UploadApi,
  upload: Upload,
): Promise<UploadAnswer> {
  const framed = frame(api, upload);
  const body = Buffer.concat([framed.before, upload.file, framed.after]);
  const sending = open(gateway, framed, { 'content-length': String(body.length) });
  sending.request.end(body);
  return sending.answer;
}

export interface Sending {
  request: ClientRequest;
  answer: Promise<UploadAnswer>;
  /** Waits until the bytes are sent. Call it only before the answer arrives. */
  write: (bytes: Uint8Array) => Promise<void>;
}

/** Starts an upload that the test writes itself, chunked unless `more` has a content length. */
export function open(
  { url }: Pick<TestGateway, 'url'>,
  { method, path, headers }: Framed,
  more: Record<string, string> = {},
  agent = new Agent(),
): Sending {
  const request = httpRequest(url + path, { method, headers: { ...headers, ...more }, agent });
  let sinceSent = startCpuClock();
  request.on('drain', () => (sinceSent = startCpuClock()));
  const answer = new Promise<UploadAnswer>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      const cpuMs = sinceSent();
      readAnswer(response).then((read) => resolve({ ...read, cpuMs }), reject);
    });
  });
  answer.catch(() => undefined);
  return {
    request,
    answer,
    write: async (bytes) => {
      await new Promise<void>((resolve) => request.write(bytes, () => resolve()));
      sinceSent = startCpuClock();
    },
  };
}

async function readAnswer(response: IncomingMessage): Promise<Omit<UploadAnswer, 'cpuMs'>> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const body = JSON.parse(Buffer.concat(pieces).toString()) as RestBody & GraphQLBody;
  const headers = new Headers(response.headers as Record<string, string>);
  const [error] = Array.isArray(body.errors) ? (body.errors as NonNullable<GraphQLBody['errors']>) : [];
  if (error?.extensions) {
    const { status = 0, error: code = null, fields = [] } = error.extensions;
    return {
      status,
      code,
      faults: fields.map((fault) => fault.code).sort(),
      messages: fields.map((fault) => fault.message),
      warnings: [],
      logo: null,
      headers,
    };
  }
  const payload = body.data?.updateCompany as
    { company: CompanyShown; warnings: { code: string }[] } | undefined;
  return {
    status: response.statusCode ?? 0,
    code: typeof body.error === 'string' ? body.error : null,
    faults: ((body as RestBody).errors ?? []).map((fault) => fault.code).sort(),
    messages: ((body as RestBody).errors ?? []).map((fault) => fault.message),
    warnings: (payload?.warnings ?? body.warnings ?? []).map(({ code }) => code.replaceAll('_', '-')).sort(),
    logo: (payload?.company ?? (body.company as CompanyShown | undefined))?.content.visual.logo ?? null,
    headers,
  };
}

interface CompanyShown {
  content: { visual: { logo: string | null } };
}

/** `hasChunks` includes chunks of unfinished uploads. */
export async function storedLogos({ models }: TestGateway): Promise<{ files: number; hasChunks: boolean }> {
  const { db } = models.companies;
  const [files, chunks] = await Promise.all([
    db.collection('logos.files').countDocuments({}),
    db.collection('logos.chunks').countDocuments({}),
  ]);
  return { files, hasChunks: chunks > 0 };
}

export async function resetWithLogos(gateway: TestGateway): Promise<void> {
  await gateway.reset();
  const { db } = gateway.models.companies;
  await Promise.all(['logos.files', 'logos.chunks'].map((name) => db.collection(name).deleteMany({})));
}

const hourMs = 3_600_000;

/** Runs the hourly task as if two hours had passed. */
export async function removeUnusedLogos({ models: { companies } }: TestGateway): Promise<void> {
  const store = new LogoStore(companies.db, () => new Date(Date.now() + 2 * hourMs));
  const task = removeOrphanLogosTask(store, companies);
  await task.run(taskRun);
}
