import { connect, type Socket } from 'node:net';
import { type TestGateway } from './gateway.js';

export interface RawReply {
  status: number;
  headers: Headers;
  body: string;
}

/** Sends bytes that no HTTP client would send, and reads until `Content-Length` is reached or the connection closes. */
export async function sendRaw(
  { url }: Pick<TestGateway, 'url'>,
  request: string | Buffer,
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let received = '';
    socket.setEncoding('utf8');
    socket.setTimeout(30_000, () => socket.destroy());
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (isWhole(received)) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  const [head = '', body = ''] = splitOnce(text, '\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(lines.map((line): [string, string] => splitOnce(line, ': '))),
    body,
  };
}

export interface Client {
  socket: Socket;
  received: () => string;
  /** Resolves at close, with the ms since the connection was opened. */
  ended: Promise<number>;
}

/** Opens a connection, and keeps what the gateway sends. */
export function openClient({ url }: Pick<TestGateway, 'url'>): Client {
  const { hostname, port } = new URL(url);
  const startedAtMs = performance.now();
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const ended = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - startedAtMs)),
  );
  return { socket, received: () => received, ended };
}

function isWhole(received: string): boolean {
  const [head, body] = splitOnce(received, '\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return received.includes('\r\n\r\n') && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
