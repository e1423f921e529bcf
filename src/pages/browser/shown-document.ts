interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

interface Content {
  schema?: { properties?: Record<string, { anyOf?: unknown[] }> };
  example?: Record<string, unknown>;
}

interface OpenApiOperation {
  description?: string;
  'x-codeSamples'?: CodeSample[];
  requestBody?: { content: Record<string, Content> };
}

/** The parts of an OpenAPI document that are changed here. */
export interface OpenApi {
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation | unknown[]>>;
}

const fences: Record<string, string> = { Shell: 'sh', GraphQL: 'graphql' };

/** The document as Swagger UI shows it well: with samples, and the example in the fields of forms. */
export function shownDocument(document: OpenApi, baseUrl: string): OpenApi {
  const shown = structuredClone(document);
  // The page may be open under another address than the document names, and may call no other origin than its own.
  for (const server of shown.servers) server.url = baseUrl;
  const operations = Object.values(shown.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    if (Array.isArray(operation)) continue;
    const samples = (operation['x-codeSamples'] ?? []).map((sample) => sampleText(sample, baseUrl));
    operation.description = [operation.description ?? '', ...samples].join('\n\n');
    for (const [type, content] of Object.entries(operation.requestBody?.content ?? {}))
      if (type !== 'application/json') fillFields(content);
  }
  return shown;
}

function sampleText({ lang, label, source }: CodeSample, baseUrl: string): string {
  const code = source.replaceAll('$BASE_URL', baseUrl);
  return [`**${label}**`, '', `\`\`\`${fences[lang] ?? ''}`, code, '```'].join('\n');
}

function fillFields({ schema, example = {} }: Content): void {
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const given = example[name];
    // Swagger UI draws a list of fields for this schema, and shows nothing at all of a form whose example is a text.
    Object.assign(field, { example: field.anyOf ? [given ?? []].flat() : (given ?? '') });
  }
}
