import { demoCalls } from '../demo/demo-calls.js';
import { escapeHtml } from '../text/html-writer.rules.js';

interface Place {
  path: string;
  name: string;
  what: string;
  /** Whether the entry links to `path`. Default: true. */
  isShown?: boolean;
}

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
  const places: Place[] = [
    {
      path: '/graphql',
      name: 'GraphQL',
      what: hasSandbox
        ? 'Apollo Sandbox in a browser; operations go to the same address'
        : 'POST an operation to this address, with a token',
      isShown: hasSandbox,
    },
    ...(hasExplorer
      ? [
          { path: '/explorer', name: 'GraphQL explorer', what: 'GraphiQL, served by this gateway' },
          { path: '/schema.graphql', name: 'GraphQL schema', what: 'every type and field, machine-readable' },
        ]
      : []),
    { path: '/docs', name: 'REST reference', what: 'the documented paths; read them and try them out' },
    { path: '/openapi.json', name: 'OpenAPI', what: 'the REST paths, machine-readable' },
    {
      path: '/client',
      name: 'TypeScript client',
      what: 'typed operations for Apollo Client, urql and Relay',
    },
    { path: '/contract', name: 'Contract', what: 'every rule that callers can rely on, numbered' },
    { path: '/handbook', name: 'Handbook', what: 'for operators: settings, metrics, alerts, upgrades' },
  ];
  const items = places.map(
    ({ path, name, what, isShown = true }) =>
      `<li>${isShown ? `<a href=".${path}">${name}</a>` : name} <code>${path}</code>: ${what}.</li>`,
  );
  return `<h1>Recruitment gateway</h1>
<p>Keeps the companies and job postings of recruitment sites up to date, over GraphQL and REST. Version ${version}, at <code>${escapeHtml(url)}</code>.</p>
${authorization === null ? '' : firstSteps(url, authorization, hasExplorer)}
<h2>Where to find what</h2>
<ul>
${items.join('\n')}
</ul>`;
}

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
