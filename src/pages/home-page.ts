/** A place that the home page names. */
interface Place {
  path: string;
  name: string;
  what: string;
  /** Whether a browser that opens it is shown something; where it is not, the address alone stands there. Default true. */
  isShown?: boolean;
}

/** The page at `/`: the APIs that this gateway has open, each with its address, which begins with `publicUrl`, and its use. */
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
      ? [{ path: '/explorer', name: 'GraphQL explorer', what: 'GraphiQL, which needs no other machine' }]
      : []),
    { path: '/docs', name: 'REST reference', what: 'the documented paths, to read and to try out' },
    { path: '/contract', name: 'Contract', what: 'every rule that callers may rely on, numbered' },
    { path: '/openapi.json', name: 'OpenAPI', what: 'the REST paths for programs' },
  ];
  const items = places.map(
    ({ path, name, what, isShown = true }) =>
      `<li>${isShown ? `<a href=".${path}">${name}</a>` : name} <code>${publicUrl}${path}</code>: ${what}.</li>`,
  );
  return `<h1>Recruitment gateway</h1>
<p>It keeps companies and job postings of recruitment sites up to date, through GraphQL and through REST.</p>
<ul>
${items.join('\n')}
</ul>`;
}
