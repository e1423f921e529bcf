import { demoCalls } from '../demo/demo-data.js';
import { escapeHtml } from '../text/html-writer.rules.js';

export interface Home {
  version: string;
  hasSandbox: boolean;
  hasExplorer: boolean;
  /** Without a slash at the end. */
  url: string;
  /** For the demo data; null if the page must not have a token. */
  authorization: string | null;
}

/** The page at `/`. */
export function homePage({ version, hasSandbox, hasExplorer, url, authorization }: Home): string {
  const places = [
    hasSandbox
      ? placeOf('/graphql', 'GraphQL', 'Apollo Sandbox in a browser; operations go to the same address')
      : '<li>GraphQL <code>/graphql</code>: POST an operation to this address, with a token.</li>',
    ...(hasExplorer
      ? [
          placeOf('/explorer', 'GraphQL explorer', 'GraphiQL, served by this gateway'),
          placeOf('/schema.graphql', 'GraphQL schema', 'every type and field, machine-readable'),
        ]
      : []),
    placeOf('/docs', 'REST reference', 'the documented paths; read them and try them out'),
    placeOf('/openapi.json', 'OpenAPI', 'the REST paths, machine-readable'),
    placeOf('/client', 'TypeScript client', 'typed operations for Apollo Client, urql and Relay'),
    placeOf('/contract', 'Contract', 'every rule that callers can rely on, numbered'),
    placeOf('/handbook', 'Handbook', 'for operators: settings, metrics, alerts, upgrades'),
  ];
  return `<h1>Recruitment gateway</h1>
<p>Keeps the companies and job postings of recruitment sites up to date, over GraphQL and REST. Version ${version}, at <code>${escapeHtml(url)}</code>.</p>
${authorization === null ? '' : firstSteps(url, authorization, hasExplorer)}
<h2>Where to find what</h2>
<ul>
${places.join('\n')}
</ul>`;
}

const placeOf = (path: string, name: string, what: string): string =>
  `<li><a href=".${path}">${name}</a> <code>${path}</code>: ${what}.</li>`;

const firstSteps = (url: string, authorization: string, hasExplorer: boolean): string => `<h2>Try it</h2>
<ol>
${hasExplorer ? '<li>Open the <a href="./explorer">explorer</a> and press ▶: the token is filled in.</li>' : ''}
<li>Or paste a call into a shell. Its token is valid for 12 hours.
${demoCalls(url, authorization)
  .map(({ name, command }) => `<p>${name}:</p>\n<pre tabindex="0"><code>${escapeHtml(command)}</code></pre>`)
  .join('\n')}</li>
<li>Another caller needs another token:
<pre tabindex="0"><code>npm run token -- --roles media_partner --scope r_w_jobs --media demo-media</code></pre></li>
</ol>
<p>The demo has two media: <code>demo-media</code>, with the companies <code>acme</code> and <code>globex</code>, and <code>other-media</code>, with <code>initech</code>.</p>
`;
