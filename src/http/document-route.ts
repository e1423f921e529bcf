import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isKnown, sendNotModified } from './negotiation.js';

/** Quality 6 compresses nearly as well as the highest, in a tenth of the time. */
export const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compress = {
  br: (text: string) => brotliCompressSync(text, brotli),
  gzip: (text: string) => gzipSync(text),
};
type Encoding = keyof typeof compress;
const encodings = Object.keys(compress) as Encoding[];

/** The encoding that the caller accepts; undefined if none. */
const acceptedBy = (request: FastifyRequest): Encoding | undefined => {
  const accepted = new Negotiator(request).encodings(encodings);
  return encodings.find((each) => accepted.includes(each));
};

/** Sends a text that differs from call to call, compressed if the caller accepts that. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const encoding = acceptedBy(request);
  void reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '));
  return encoding
    ? reply.header('content-encoding', encoding).send(compress[encoding](text))
    : reply.send(text);
}

/** Serves a text that stays the same while the process runs: compressed once, with an `ETag` that its encodings share. */
export function registerDocument(
  app: FastifyInstance,
  path: string,
  { text, type, headers = {} }: { text: string; type: string; headers?: Record<string, string> },
): void {
  const tag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
  const compressed: Partial<Record<Encoding, Buffer>> = {};
  app.get(path, async (request, reply) => {
    void reply.headers({
      ...headers,
      etag: `W/${tag}`,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    if (isKnown(request, tag)) return sendNotModified(reply);
    const encoding = acceptedBy(request);
    void reply.type(`${type}; charset=utf-8`);
    if (!encoding) return reply.send(text);
    return reply
      .header('content-encoding', encoding)
      .send((compressed[encoding] ??= compress[encoding](text)));
  });
}
