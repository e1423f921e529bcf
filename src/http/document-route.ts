import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isKnown, sendNotModified } from './negotiation.js';

/** Quality 6 compresses nearly as well as the highest, in a tenth of the time. */
export const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Compresses on another thread. */
const compress = {
  br: (text: string): Promise<Buffer> => promisify(brotliCompress)(text, brotli),
  gzip: (text: string): Promise<Buffer> => promisify(gzip)(text),
};
type Encoding = keyof typeof compress;
const encodings = Object.keys(compress) as Encoding[];

/** The encoding that the caller accepts; undefined if none. */
const acceptedBy = (request: FastifyRequest): Encoding | undefined => {
  const accepted = new Negotiator(request).encodings(encodings);
  return encodings.find((each) => accepted.includes(each));
};

export type Compressed = (text: string, encoding: Encoding) => Promise<Buffer>;

/** Compresses a text once: keeps the last few, since a page differs only by its host or a developer's token. */
export function keepCompressed(mostTexts = 4): Compressed {
  const kept = new Map<string, Partial<Record<Encoding, Promise<Buffer>>>>();
  return (text, encoding) => {
    const encoded = kept.get(text) ?? {};
    kept.delete(text);
    kept.set(text, encoded);
    for (const [oldest] of kept) if (kept.size > mostTexts) kept.delete(oldest);
    return (encoded[encoding] ??= compress[encoding](text));
  };
}

interface Document {
  text: string;
  compressed: Compressed;
}

/** Compressed if the caller accepts that. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, compressed }: Document,
): Promise<FastifyReply> {
  const encoding = acceptedBy(request);
  if (!encoding) return reply.send(text);
  const bytes = await compressed(text, encoding);
  return reply.header('content-encoding', encoding).send(bytes);
}

/** Sends a text that can differ from call to call, compressed if the caller accepts that. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
): Promise<FastifyReply> {
  void reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '));
  return send(request, reply, document);
}

/** Serves a text that stays the same while the process runs: compressed once, with an `ETag` that its encodings share. */
export function registerDocument(
  app: FastifyInstance,
  path: string,
  { text, type, headers = {} }: { text: string; type: string; headers?: Record<string, string> },
): void {
  const tag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
  const compressed = keepCompressed(1);
  app.get(path, async (request, reply) => {
    void reply.headers({
      ...headers,
      etag: `W/${tag}`,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    if (isKnown(request, tag)) return sendNotModified(reply);
    return send(request, reply.type(`${type}; charset=utf-8`), { text, compressed });
  });
}
