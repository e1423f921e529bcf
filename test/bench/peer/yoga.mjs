import { once } from 'node:events';
import { createServer } from 'node:http';
import DataLoader from 'dataloader';
import { createSchema, createYoga } from 'graphql-yoga';
import { callerOf, ofCompanies, resolvers, sdl, serve } from './work.mjs';

// Set up as Yoga's manual recommends.

const loadersOf = () =>
  Object.fromEntries(
    Object.entries(ofCompanies).map(([field, load]) => [field, new DataLoader(load, { cache: false })]),
  );
const loaded = Object.fromEntries(
  Object.keys(ofCompanies).map((field) => [field, (job, _args, { loaders }) => loaders[field].load(job)]),
);

const yoga = createYoga({
  schema: createSchema({ typeDefs: sdl, resolvers: { ...resolvers, Job: { ...resolvers.Job, ...loaded } } }),
  context: async ({ request }) => ({
    caller: await callerOf(request.headers.get('authorization')),
    loaders: loadersOf(),
  }),
  logging: false,
  graphiql: false,
});
const server = createServer(yoga).listen(0, '127.0.0.1');
await once(server, 'listening');
serve(`http://127.0.0.1:${server.address().port}`, () => server.close());
