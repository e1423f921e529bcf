import { fastify } from 'fastify';
import mercurius from 'mercurius';
import { callerOf, ofCompanies, resolvers, sdl, serve } from './work.mjs';

// Set up as Mercurius' manual recommends.

const loaders = Object.fromEntries(
  Object.entries(ofCompanies).map(([field, load]) => [
    field,
    (queries) => load(queries.map(({ obj }) => obj)),
  ]),
);

const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: sdl,
  resolvers,
  loaders: { Job: loaders },
  jit: 1,
  context: async ({ headers }) => ({ caller: await callerOf(headers.authorization) }),
});
serve(await app.listen({ host: '127.0.0.1', port: 0 }), () => app.close());
