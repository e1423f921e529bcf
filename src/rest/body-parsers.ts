import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { assertUtf8 } from '../http/read-json.js';
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
