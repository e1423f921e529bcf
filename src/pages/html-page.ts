import { type FastifyReply } from 'fastify';

/** The parts of a page. */
export interface HtmlPage {
  title: string;
  /** URL of its style sheet. */
  style: string;
  /** URL of the licences of the packages that the pages are made of. */
  licences: string;
  /** What it shows, as HTML; nothing for a page that its script draws. */
  body?: string;
  /** URL of its script, a module, if it has one. */
  script?: string;
  /** Whether it begins with a link to the home page. A page whose script draws that link needs no other. */
  leadsHome?: boolean;
  /** Data for the script, which reads it from the element `page-data`. */
  data?: unknown;
}

/** Answers with a page. It may hold a token, so no cache on the way may store it. */
export const sendPage = (reply: FastifyReply, html: string, policy: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(html);

/**
 * The HTML of a page. Its links are relative, as every page is one level deep: a proxy may serve the gateway under a path.
 * At most its one script file runs, so its content policy needs neither nonce nor hash.
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

/** JSON that cannot close the HTML element around it. */
const dataBlock = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
