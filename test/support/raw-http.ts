import { connect } from 'node:net';
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

function isWhole(received: string): boolean {
  const [head, body] = splitOnce(received, '\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return received.includes('\r\n\r\n') && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
