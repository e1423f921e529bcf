import { escapeHtml } from '../text/html-writer.rules.js';

export interface Home {
  hasSandbox: boolean;
  hasExplorer: boolean;
  /** Without a slash at the end. */
  url: string;
  /** For the demo data; null if the page must not have a token. */
  authorization: string | null;
  /** The first call, as HTML. */
  call: string;
}

/** The page at `/`. */
export function homePage({ hasSandbox, hasExplorer, url, authorization, call }: Home): string {
  const token = authorization?.replace(/^Bearer /, '');
  const filled = call
    .replaceAll('$BASE_URL', escapeHtml(url))
    .replaceAll('<mark>$TOKEN</mark>', token ? `<span class="token">${token}</span>` : '<mark>$TOKEN</mark>');
  return `<main>
<h1>Companies and job postings, kept up to date</h1>
<p>Recruitment sites and their partners change companies and jobs through this gateway, over GraphQL and REST, with the same rules, permissions, quotas and errors. It answers at <code>${escapeHtml(url)}</code>.</p>
<ul class="ways">
${way('Front-end', 'Forms and lists on typed operations.', [
  hasExplorer && ['./explorer', 'Explorer', 'write an operation, and run it'],
  hasSandbox && ['./graphql', 'Apollo Sandbox', 'the same in Apollo’s own page'],
  ['./client', 'Client', 'typed documents, caches, forms'],
])}
${way('Integration', 'A nightly job, a partner’s feed, an older system.', [
  ['./docs', 'REST', 'each path, with a form to try it'],
  ['./contract', 'Contract', 'every rule, numbered'],
  ['./openapi.json', 'OpenAPI', 'for generators'],
  hasExplorer && ['./schema.graphql', 'GraphQL schema', 'for generators'],
])}
${way('Operation', 'Run it in front of customers.', [
  ['./handbook', 'Operate', 'settings, metrics, alerts, upgrades'],
])}
</ul>
<h2>A first call</h2>
<p>${token ? 'Paste it into a shell. The token is for the demo data, and valid for 12 hours.' : 'Put your token in place of <mark>$TOKEN</mark>.'} Beside it stands the answer of the demo data.</p>
${filled}
<h2>What next</h2>
<ul>
<li>${hasExplorer ? 'In the <a href="./explorer">explorer</a>, turn to UpdateJob' : 'In the <a href="./docs#updateJob">REST reference</a>, open the form of an update'}, send a salary of 31 characters, and read the fault.</li>
<li>Look up <a href="./errors">what each error means</a>, and <a href="./contract#8.1">how much a caller may do</a>.</li>
<li>For another caller, sign another token: <code>npm run --silent token -- --sub partner-a --roles media_partner --scope r_w_jobs --media demo-media</code>. The demo has two media: <code>demo-media</code>, with the companies <code>acme</code> and <code>globex</code>, and <code>other-media</code>, with <code>initech</code>.</li>
</ul>
</main>`;
}

type Place = readonly [href: string, name: string, what: string];

const way = (
  who: string,
  what: string,
  places: readonly (Place | false)[],
): string => `<li><h2>${who}</h2><p>${what}</p>
${places
  .filter((place) => place !== false)
  .map(([href, name, about]) => `<p><a href="${href}">${name}</a>: ${about}</p>`)
  .join('\n')}</li>`;
