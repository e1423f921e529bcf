import { existsSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** In a `.http` file, `###` separates requests, and `{{name}}` stands for a value. */
export function readRequests(file: URL, values: Record<string, string>): HttpRequest[] {
  const text = readFileSync(file, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  return text.split(/^###.*$/m).map((part) => {
    const lines = part.trim().split('\n');
    const start = lines.findIndex((line) => !line.startsWith('#'));
    const [first = '', ...others] = lines.slice(start);
    const [method = '', url = ''] = first.split(' ');
    const { headers, body } = splitHead(others);
    return { method, url, headers, body: body === '' ? undefined : bodyOf(body, headers, file) };
  });
}

/** @returns the reply to the last request */
export async function sendAll(requests: readonly HttpRequest[]): Promise<HttpAnswer> {
  let reply: Response | undefined;
  for (const { url, method, headers, body } of requests)
    reply = await fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) });
  if (!reply) throw new Error('there is no request');
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: await reply.json(),
  };
}

/** The headers that a new answer shows. */
const usualHeaders = [
  ...['Content-Type', 'ETag', 'Job-Expires', 'Job-State', 'Link', 'Location'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'],
];

/** Reads a `.answer.http` file, which has only the relevant headers. */
export function readAnswer(file: URL): HttpAnswer {
  const [first = '', ...others] = readFileSync(file, 'utf8').trim().split('\n');
  const { headers, body } = splitHead(others);
  return { status: Number(first.split(' ')[1]), headers, body: JSON.parse(body) };
}

/** The text of a `.answer.http` file, with the header names that the file has. */
export function printAnswer(file: URL, { status, headers, body }: HttpAnswer): string {
  const [, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n\n')[0]!.split('\n') : [];
  const names = lines.length > 0 ? lines.map((line) => line.split(':')[0]!) : usualHeaders;
  const printed = names.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...printed, '', printJson(body)].join('\n');
}

export const printJson = (body: unknown): string => `${JSON.stringify(body, null, 2)}\n`;

function splitHead(lines: readonly string[]): { headers: Record<string, string>; body: string } {
  const end = lines.includes('') ? lines.indexOf('') : lines.length;
  const headers = lines.slice(0, end).map((line): [string, string] => {
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return { headers: Object.fromEntries(headers), body: lines.slice(end + 1).join('\n') };
}

/** Joins the lines of a form. In a multipart body, `< ./file` stands for the content of the file. */
function bodyOf(text: string, headers: Record<string, string>, file: URL): Buffer {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return Buffer.from(text.replaceAll('\n', ''));
  if (!type.startsWith('multipart/')) return Buffer.from(text);
  const lines = text.split('\n').map((line) => {
    const path = /^< (.+)$/.exec(line)?.[1];
    return path === undefined ? Buffer.from(line) : readFileSync(new URL(path, file));
  });
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\r\n')]));
}
