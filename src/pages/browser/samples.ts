interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

interface OpenApiOperation {
  description?: string;
  'x-codeSamples'?: CodeSample[];
}

/** As much of an OpenAPI document as samples need. */
export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation | unknown[]>>;
}

const fences: Record<string, string> = { Shell: 'sh', GraphQL: 'graphql' };

/** The document with the samples of each operation at the end of its description, where Swagger UI shows them. */
export function withSamples(document: OpenApi, baseUrl: string): OpenApi {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    if (Array.isArray(operation)) continue;
    const samples = operation['x-codeSamples'] ?? [];
    operation.description = [
      operation.description ?? '',
      ...samples.map(({ lang, label, source }) =>
        [
          `**${label}**`,
          '',
          `\`\`\`${fences[lang] ?? ''}`,
          source.replaceAll('$BASE_URL', baseUrl),
          '```',
        ].join('\n'),
      ),
    ].join('\n\n');
  }
  return copy;
}
