import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { callerOf, resolvers, sdl, serve } from './work.mjs';

// Set up as Yoga's manual recommends.

const yoga = createYoga({
  schema: createSchema({ typeDefs: sdl, resolvers }),
  context: async ({ request }) => ({ caller: await callerOf(request.headers.get('authorization')) }),
  logging: false,
  graphiql: false,
});
const server = createServer(yoga).listen(0, '127.0.0.1');
await once(server, 'listening');
serve(`http://127.0.0.1:${server.address().port}`, () => server.close());
