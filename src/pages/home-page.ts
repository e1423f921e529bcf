interface Place {
  path: string;
  name: string;
  what: string;
  /** Whether the entry links to `path`. Default: true. */
  isShown?: boolean;
}

/** The page at `/`. */
export function homePage(
  { hasSandbox, hasExplorer }: { hasSandbox: boolean; hasExplorer: boolean },
  publicUrl = '',
): string {
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
    { path: '/contract', name: 'Contract', what: 'every rule that callers can rely on, numbered' },
    { path: '/openapi.json', name: 'OpenAPI', what: 'the REST paths, machine-readable' },
  ];
  const items = places.map(
    ({ path, name, what, isShown = true }) =>
      `<li>${isShown ? `<a href=".${path}">${name}</a>` : name} <code>${publicUrl}${path}</code>: ${what}.</li>`,
  );
  return `<h1>Recruitment gateway</h1>
<p>Keeps the companies and job postings of recruitment sites up to date, over GraphQL and REST.</p>
<ul>
${items.join('\n')}
</ul>`;
}
