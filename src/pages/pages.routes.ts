import fastifyStatic from '@fastify/static';
import { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { readFileSync } from 'node:fs';
import { type Logger } from 'pino';
import { type Keys } from '../access/keys.js';
import { isIntrospectionOn } from '../graphql/bounds/schema-rules.js';
import { type Settings } from '../settings/settings.js';
import { ownPagePolicy } from './content-policy.js';
import { developerAuthorization } from './developer-authorization.js';
import { readExamples } from './example-operations.js';
import { homePage } from './home-page.js';
import { type HtmlPage, renderPage, sendPage } from './html-page.js';
import { assetsFolder, assetsPrefix, readPageAssets } from './page-assets.js';
import { sandboxPage } from './sandbox-page.js';

const yearMs = 31_536_000_000;

const explorerTabs = ['Job', 'UpdateJob', 'UpdateCompany'];

/**
 * Registers the pages for people. Sandbox is never on in production, because its scripts come from another machine.
 * @returns the hook that serves Sandbox at `/graphql`; undefined if Sandbox is off
 */
export async function registerPageRoutes(
  app: FastifyInstance,
  settings: Settings,
  { keys, clock, log }: { keys: Keys; clock: () => Date; log: Logger },
): Promise<onRequestAsyncHookHandler | undefined> {
  const authorizationOf = developerAuthorization(settings, { keys, clock });
  const hasExplorer = isIntrospectionOn(settings);
  const examples = readExamples();
  const tabs = examples.operations.filter(({ name }) => explorerTabs.includes(name));
  const newTab = examples.operations.find(({ name }) => name === 'Viewer')?.document;

  if (hasExplorer) registerSchemaRoute(app);
  const hasSandbox = hasExplorer && settings.environment !== 'production';
  const assets = await readPageAssets();
  if (assets) {
    await registerAssets(app);
    registerPage(app, '/', async () => ({
      title: 'Recruitment gateway',
      ...assets.text,
      body: homePage({ hasSandbox, hasExplorer }, settings.publicUrl),
    }));
    registerPage(app, '/contract', async () => ({
      title: 'Contract · Recruitment gateway',
      ...assets.text,
      leadsHome: true,
      body: assets.contract,
    }));
    registerPage(app, '/docs', async (request) => ({
      title: 'REST reference · Recruitment gateway',
      ...assets.docs,
      leadsHome: true,
      data: { authorization: await authorizationOf(request) },
    }));
    if (hasExplorer)
      registerPage(app, '/explorer', async (request) => ({
        title: 'GraphQL explorer · Recruitment gateway',
        ...assets.explorer,
        data: { authorization: await authorizationOf(request), tabs, newTab },
      }));
  } else log.warn('the pages are not built: run npm run build');

  return hasSandbox ? sandboxPage(examples, authorizationOf) : undefined;
}

/** Serves the schema as a text, with the default quotas (Contract 8.2.5, 11.14). */
function registerSchemaRoute(app: FastifyInstance): void {
  const sdl = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
  app.get('/schema.graphql', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(sdl));
}

/** Browsers can cache these files for good, since each name holds the hash of the content. */
const registerAssets = (app: FastifyInstance) =>
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => void reply.header('vary', 'Accept-Encoding'));
    await scope.register(fastifyStatic, {
      root: assetsFolder,
      prefix: assetsPrefix,
      // One route per file, so that any other path gets the usual `not-found` error.
      wildcard: false,
      // The error catalogue has no error for an invalid range.
      acceptRanges: false,
      immutable: true,
      maxAge: yearMs,
      preCompressed: true,
    });
  });

function registerPage(
  app: FastifyInstance,
  path: string,
  pageFor: (request: FastifyRequest) => Promise<HtmlPage>,
): void {
  app.get(path, async (request, reply) => sendPage(reply, renderPage(await pageFor(request)), ownPagePolicy));
}
