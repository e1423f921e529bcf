interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

interface Content {
  schema?: { properties?: Record<string, { anyOf?: unknown[] }> };
  example?: Record<string, unknown>;
}

interface OpenApiReply {
  description: string;
  headers?: Record<string, { $ref: string }>;
}

interface OpenApiOperation {
  description?: string;
  'x-codeSamples'?: CodeSample[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, OpenApiReply>;
}

/** The parts that this file changes. */
export interface OpenApi {
  info: { description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation | unknown[]>>;
  components: {
    parameters: Record<string, { name: string; in: string; description?: string }>;
    headers: Record<string, { description: string }>;
  };
}

const fences: Record<string, string> = { Shell: 'sh', GraphQL: 'graphql' };

/** Adapts the document to Swagger UI. */
export function displayedDocument(document: OpenApi, baseUrl: string): OpenApi {
  const displayed = structuredClone(document);
  // The content policy allows calls only to the page's own origin.
  for (const server of displayed.servers) server.url = baseUrl;
  for (const methods of Object.values(displayed.paths)) dropSynonym(methods);
  const operations = Object.values(displayed.paths)
    .flatMap((path) => Object.values(path))
    .filter((operation): operation is OpenApiOperation => !Array.isArray(operation));
  displayed.info.description += describeHeadersOnce(displayed, operations);
  for (const operation of operations) {
    const samples = (operation['x-codeSamples'] ?? []).map((sample) => sampleText(sample, baseUrl));
    operation.responses = withErrorsInOne(operation.responses);
    operation.description = [operation.description ?? '', ...samples].join('\n\n');
    for (const [type, content] of Object.entries(operation.requestBody?.content ?? {}))
      if (type !== 'application/json') fillFields(content);
  }
  return displayed;
}

/**
 * Removes the descriptions of request headers, and removes the headers of error replies from all replies. A header
 * stays where it is if successes define it in another way, as they do `ETag`.
 * @returns the removed descriptions as Markdown
 */
function describeHeadersOnce({ components }: OpenApi, operations: OpenApiOperation[]): string {
  const replies = operations.flatMap(({ responses }) => Object.entries(responses));
  const headersOf = (isError: boolean) =>
    replies.flatMap(([status, { headers = {} }]) =>
      status >= '400' === isError ? Object.entries(headers).map(([name, { $ref }]) => ({ name, $ref })) : [],
    );
  const ofSuccesses = headersOf(false);
  const ofReplies = new Map<string, string>();
  for (const { name, $ref } of headersOf(true))
    if (!ofSuccesses.some((other) => other.name === name && other.$ref !== $ref))
      ofReplies.set(name, components.headers[$ref.split('/').at(-1) ?? '']?.description ?? '');
  for (const [, reply] of replies) {
    const own = Object.entries(reply.headers ?? {}).filter(([name]) => !ofReplies.has(name));
    reply.headers = Object.fromEntries(own);
  }

  const ofRequests = new Map<string, string>();
  for (const parameter of Object.values(components.parameters)) {
    if (parameter.in !== 'header') continue;
    ofRequests.set(parameter.name, parameter.description ?? '');
    delete parameter.description;
  }
  const listed = (headers: ReadonlyMap<string, string>) =>
    [...headers].map(([name, description]) => `- \`${name}\`: ${description}`);
  return [
    '',
    details('Request headers, where an operation has a field for them', listed(ofRequests)),
    details('Reply headers that operations share', listed(ofReplies)),
  ].join('\n\n');
}

/** Of two methods that do the same, keeps the documented one, which comes first. */
function dropSynonym(methods: OpenApi['paths'][string]): void {
  const [kept, synonym] = Object.keys(methods).filter((method) => method === 'patch' || method === 'post');
  if (kept && synonym) delete methods[synonym];
}

/** One table and one example, instead of ten replies that differ in status and code. */
function withErrorsInOne(responses: Record<string, OpenApiReply>): Record<string, OpenApiReply> {
  const all = Object.entries(responses);
  const errors = all.filter(([status]) => status >= '400');
  const rows = errors.map(
    ([status, { description }]) => `| ${status} | ${description.replace(/\s*\n\s*/g, '<br>')} |`,
  );
  const example = responses['422'] ?? responses['400'];
  return {
    ...Object.fromEntries(all.filter((each) => !errors.includes(each))),
    default: { ...example, description: ['| status | error |', '| --- | --- |', ...rows].join('\n') },
  };
}

/** Swagger UI parses Markdown inside HTML only after an empty line. */
const details = (summary: string, lines: readonly string[]): string =>
  [`<div><details><summary>${summary}</summary>`, '', ...lines, '', '</details></div>'].join('\n');

const sampleText = ({ lang, label, source }: CodeSample, baseUrl: string): string =>
  details(label, [`\`\`\`${fences[lang] ?? ''}`, source.replaceAll('$BASE_URL', baseUrl), '```']);

function fillFields({ schema, example = {} }: Content): void {
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const value = example[name];
    // Swagger UI shows an `anyOf` field as a list, and no form at all if the example of the field is a text.
    Object.assign(field, { example: field.anyOf ? [value ?? []].flat() : (value ?? '') });
  }
}
