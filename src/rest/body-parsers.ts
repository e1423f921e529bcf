import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { type BodyFields, readForm, readJson } from './read-form.js';

/** Takes forms and JSON in UTF-8; any other type or charset is content-type-not-supported (Contract 4.3.1). */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parsers: Record<string, (body: Buffer) => BodyFields> = {
    'application/x-www-form-urlencoded': readForm,
    'application/json': readJson,
  };
  for (const [contentType, read] of Object.entries(parsers)) {
    app.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        assertUtf8(request.headers['content-type']);
        return read(body);
      },
    );
  }
}

function assertUtf8(contentType = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new DomainError('content-type-not-supported');
}
