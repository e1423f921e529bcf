import { type FastifyInstance } from 'fastify';
import { type GraphQLSchema } from 'graphql';
import { printOpenApi } from './openapi.js';

/** Serves the description of the REST door, without a token (Contract 11.2). */
export function registerOpenApiRoutes(app: FastifyInstance, schema: GraphQLSchema, url?: string): void {
  const document = printOpenApi(schema, url);
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );
}
