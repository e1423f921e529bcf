import { fastify } from 'fastify';
import mercurius from 'mercurius';
import { callerOf, resolvers, sdl, serve } from './work.mjs';

// Set up as Mercurius' manual recommends.

const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: sdl,
  resolvers,
  jit: 1,
  context: async ({ headers }) => ({ caller: await callerOf(headers.authorization) }),
});
serve(await app.listen({ host: '127.0.0.1', port: 0 }), () => app.close());
