import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { assertUtf8 } from './read-json.js';

/** Has bodies of a content type read whole; any charset but UTF-8 is content-type-not-supported (Contract 4.3.1). */
export function parseBodies(
  app: FastifyInstance,
  contentType: string,
  parse: (body: Buffer) => unknown,
): void {
  app.addContentTypeParser(
    contentType,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      assertUtf8(request.headers['content-type']);
      return parse(body);
    },
  );
}

/**
 * Leaves multipart bodies for the route to read. When a parser fails, Fastify cuts the connection while the file is still
 * coming, and the caller may never see the answer.
 */
export function leaveMultipart(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
}
