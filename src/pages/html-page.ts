import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Compressed, sendCompressed } from '../http/document-route.js';
import { version } from '../settings/version.js';
import { type PageAssets } from './page-assets.js';

export interface HtmlPage extends PageAssets {
  title: string;
  /** HTML. */
  body: string;
  /** Its own path, such as `/docs`. */
  path?: string;
  hasExplorer: boolean;
  /** Before the paths of other pages; default: relative, because every page is one level deep. */
  base?: string;
  /** For the script, in the element `page-data`. */
  data?: unknown;
}

/** Caches must not store a page, because it can hold a token. */
export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { html, policy, compressed }: { html: string; policy: string; compressed: Compressed },
): Promise<FastifyReply> =>
  sendCompressed(
    request,
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store'),
    { text: html, compressed },
  );

const places = {
  '/': 'Home',
  '/explorer': 'Explorer',
  '/docs': 'REST',
  '/errors': 'Errors',
  '/contract': 'Contract',
  '/client': 'Client',
  '/handbook': 'Operate',
};

/** A gate: two posts and what goes through between them. */
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><rect width="22" height="22" rx="5" fill="#0b57d0"/><path d="M5 17V5M17 17V5M8 11h6m-2.5-2.5L14 11l-2.5 2.5" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

const favicon = `data:image/svg+xml,${encodeURIComponent(mark)}`;

/** The head that every page has: its name, the way to the other pages, and the version. */
export const pageHeader = ({
  path,
  hasExplorer,
  base = '.',
}: Pick<HtmlPage, 'path' | 'hasExplorer' | 'base'>): string => {
  const links = Object.entries(places)
    .filter(([to]) => to !== '/explorer' || hasExplorer)
    .map(([to, name]) => `<a href="${base}${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`);
  return `<header class="site"><a class="skip" href="#content">Skip to the content</a><a class="mark" href="${base}/" aria-label="Recruitment gateway">${mark}<span>Recruitment gateway</span></a>
<nav aria-label="Pages">${links.join('\n')}</nav></header>`;
};

const pageFooter = ({ licences, base = '.' }: HtmlPage): string =>
  `<footer class="site-foot"><span>Recruitment gateway ${version}, under the MIT licence</span> <a href="${base}/changelog">Changes</a> <a href="${licences}">Licences of bundled packages</a></footer>`;

/**
 * Links are relative because a proxy may serve the gateway under a path. Scripts run only from files, so the content policy needs no
 * nonce or hash.
 */
export function renderPage(page: HtmlPage): string {
  const { title, style, licences, body, script, data } = page;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="description" content="Keeps the companies and job postings of recruitment sites up to date, over GraphQL and REST." />
    <title>${title}</title>
    <link rel="icon" href="${favicon}" />
    <link rel="license" href="${licences}" />
    <link rel="stylesheet" href="${style}" />
${script === undefined ? '' : `    <script type="module" src="${script}"></script>`}
  </head>
  <body>
${pageHeader(page)}
<div class="page">
${body.replace('<main', '<main id="content"')}
</div>
${pageFooter(page)}
${data === undefined ? '' : `<script type="application/json" id="page-data">${dataBlock(data)}</script>`}
  </body>
</html>
`;
}

/** JSON that cannot close the surrounding HTML element. */
const dataBlock = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
