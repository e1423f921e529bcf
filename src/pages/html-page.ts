import { type FastifyReply } from 'fastify';
import { type PageAssets } from './page-assets.js';

export interface HtmlPage extends PageAssets {
  title: string;
  /** HTML; absent if the script draws the page. */
  body?: string;
  /** Whether the page starts with a link to the home page. */
  leadsHome?: boolean;
  /** For the script, in the element `page-data`. */
  data?: unknown;
}

/** Caches must not store a page, because it can hold a token. */
export const sendPage = (reply: FastifyReply, html: string, policy: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(html);

/**
 * Links are relative because a proxy may serve the gateway under a path; every page is one level deep. Scripts run only from files, so
 * the content policy needs no nonce or hash.
 */
export function renderPage({ title, style, licences, leadsHome, body, script, data }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="license" href="${licences}" />
    <link rel="stylesheet" href="${style}" />
  </head>
  <body>
${leadsHome ? '<nav><a href="./">Home</a></nav>' : ''}
${body === undefined ? '' : `<main>${body}</main>`}${script === undefined ? '' : drawnBy(script, data)}
  </body>
</html>
`;
}

const drawnBy = (script: string, data: unknown): string => `
    <noscript>
      <p>This page needs JavaScript. <a href="./contract">The contract</a> and <a href="./openapi.json">OpenAPI</a> do not.</p>
    </noscript>
    <div id="page"></div>
    <script type="application/json" id="page-data">${dataBlock(data)}</script>
    <script type="module" src="${script}"></script>`;

/** JSON that cannot close the surrounding HTML element. */
const dataBlock = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
