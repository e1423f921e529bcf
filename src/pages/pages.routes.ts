import fastifyStatic from '@fastify/static';
import { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from 'fastify';
import { readFileSync } from 'node:fs';
import { type Logger } from 'pino';
import { type Keys } from '../tokens/keys.js';
import { isIntrospectionOn } from '../graphql/bounds/schema-rules.js';
import { prefersPage } from '../http/negotiation.js';
import { keepCompressed, registerDocument } from '../http/document-route.js';
import { type Settings } from '../settings/settings.js';
import { escapeHtml } from '../text/html-writer.rules.js';
import { ownPagePolicy } from './content-policy.js';
import { developerAuthorization } from './developer-authorization.js';
import { readExamples } from './example-operations.js';
import { homePage } from './home-page.js';
import { type HtmlPage, renderPage, sendPage } from './html-page.js';
import { assetsFolder, assetsPrefix, type PageAssets, readPageAssets } from './page-assets.js';
import { sandboxPage } from './sandbox-page.js';

const yearMs = 31_536_000_000;

const documentTitles = {
  contract: 'Contract',
  client: 'TypeScript client',
  handbook: 'Handbook',
  errors: 'Errors',
  changelog: 'Changes',
};

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
    const shell = { ...assets.site, hasExplorer };
    registerPage(app, '/', async (request) => {
      const authorization = await authorizationOf(request);
      const url = settings.publicUrl ?? `${request.protocol}://${request.host}`;
      const call = assets.documents.start;
      return {
        ...shell,
        title: 'Recruitment gateway',
        body: homePage({ hasSandbox, hasExplorer, url, authorization, call }),
      };
    });
    for (const [name, title] of Object.entries(documentTitles))
      registerDocument(app, `/${name}`, {
        text: renderPage({
          ...shell,
          title: `${title} · Recruitment gateway`,
          path: `/${name}`,
          body: assets.documents[name as keyof typeof documentTitles],
        }),
        type: 'text/html',
        headers: { 'content-security-policy': ownPagePolicy },
      });
    showMissingPages(app, shell, settings.publicUrl ?? '');
    registerPage(app, '/docs', async (request) => ({
      ...shell,
      title: 'REST reference · Recruitment gateway',
      body: assets.documents.docs,
      data: { authorization: await authorizationOf(request) },
    }));
    if (hasExplorer)
      registerPage(app, '/explorer', async (request) => ({
        ...{ ...assets.explorer, hasExplorer },
        title: 'GraphQL explorer · Recruitment gateway',
        body: explorerPage(tabs[0]?.document ?? ''),
        data: { authorization: await authorizationOf(request), tabs, newTab },
      }));
  } else log.warn('the pages are not built: run npm run build');

  return hasSandbox ? sandboxPage(examples, authorizationOf, assets?.site.style) : undefined;
}

/** Serves the schema as a text, with the default quotas. */
function registerSchemaRoute(app: FastifyInstance): void {
  const text = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
  registerDocument(app, '/schema.graphql', { text, type: 'text/plain' });
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
  const compressed = keepCompressed();
  app.get(path, async (request, reply) => {
    const html = renderPage({ ...(await pageFor(request)), path });
    return sendPage(request, reply, { html, policy: ownPagePolicy, compressed });
  });
}

/** What is seen until the script has come: the first operation. */
const explorerPage = (operation: string): string => `<main>
<h1 class="spoken">GraphQL explorer</h1>
<p class="loading" role="status">The explorer is loading …</p>
<div id="page"><pre tabindex="0"><code>${escapeHtml(operation)}</code></pre></div>
<noscript><p>This page needs JavaScript. <a href="./contract">The contract</a> and <a href="./schema.graphql">the schema</a> do not.</p></noscript>
</main>`;

/** Answers browsers that ask for an unknown path with a page. */
function showMissingPages(
  app: FastifyInstance,
  shell: PageAssets & { hasExplorer: boolean },
  base: string,
): void {
  // The path can be of any depth, so links relative to it don't work.
  const at = (url: string) => `${base}${url.replace(/^\./, '')}`;
  const page = renderPage({
    ...{ title: 'Not found · Recruitment gateway', hasExplorer: shell.hasExplorer, base },
    ...{ script: at(shell.script ?? ''), style: at(shell.style), licences: at(shell.licences) },
    body: `<main><h1>There is no such page</h1><p>What there is stands above. <a href="${at('./')}">Home</a></p></main>`,
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const isMissing = reply.statusCode === 404 && (request.is404 || request.routeOptions.url === '*');
    if (!isMissing || request.method !== 'GET' || !prefersPage(request)) return payload;
    void reply.type('text/html; charset=utf-8').header('content-security-policy', ownPagePolicy);
    return page;
  });
}
