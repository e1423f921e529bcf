/** A place that the home page leads to. */
interface Place {
  path: string;
  name: string;
  what: string;
}

/** The page at `/`: the doors that this gateway has open, each with what it is for. */
export function homePage({ hasSandbox, hasExplorer }: { hasSandbox: boolean; hasExplorer: boolean }): string {
  const places: Place[] = [
    hasSandbox
      ? {
          path: '/graphql',
          name: 'GraphQL',
          what: 'Apollo Sandbox in a browser; operations go to the same address',
        }
      : { path: '/graphql', name: 'GraphQL', what: 'POST an operation to this address, with a token' },
    ...(hasExplorer
      ? [{ path: '/explorer', name: 'GraphQL explorer', what: 'GraphiQL, which needs no other machine' }]
      : []),
    { path: '/docs', name: 'REST reference', what: 'the documented paths, to read and to try out' },
    { path: '/contract', name: 'Contract', what: 'every rule that callers may rely on, numbered' },
    { path: '/openapi.json', name: 'OpenAPI', what: 'the REST paths for programs' },
  ];
  const items = places.map(
    ({ path, name, what }) => `<li><a href="${path}">${name}</a> <code>${path}</code>: ${what}.</li>`,
  );
  return `<h1>Recruitment gateway</h1>
<p>It keeps companies and job postings of recruitment sites up to date, through GraphQL and through REST.</p>
<ul>
${items.join('\n')}
</ul>`;
}
