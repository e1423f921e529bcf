import { type FastifyInstance } from 'fastify';
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
const encodings = Object.keys(compress) as (keyof typeof compress)[];

/** Serves a text that stays the same while the process runs: compressed once, with an `ETag` that its encodings share. */
export function registerDocument(
  app: FastifyInstance,
  path: string,
  { text, type, headers = {} }: { text: string; type: string; headers?: Record<string, string> },
): void {
  const tag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
  const compressed: Partial<Record<keyof typeof compress, Buffer>> = {};
  app.get(path, async (request, reply) => {
    void reply.headers({
      ...headers,
      etag: `W/${tag}`,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    if (isKnown(request, tag)) return sendNotModified(reply);
    const accepted = new Negotiator(request).encodings(encodings);
    const encoding = encodings.find((each) => accepted.includes(each));
    void reply.type(`${type}; charset=utf-8`);
    if (!encoding) return reply.send(text);
    return reply
      .header('content-encoding', encoding)
      .send((compressed[encoding] ??= compress[encoding](text)));
  });
}
