import { Marked } from 'marked';
import { readFile } from 'node:fs/promises';
import { escapeHtml } from '../text/html-writer.rules.js';
import { sample } from './highlight.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: string | number | null;
}

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Reply {
  description: string;
  content?: Record<string, Content>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: object[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Reply>;
  'x-codeSamples'?: { label: string; source: string }[];
}

interface OpenApi {
  info: { description: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

/** The statements of the contract that describe the fields of an operation. */
const fieldStatements: Record<string, string> = { updateCompany: '4.1.2', updateJob: '4.2.2' };

const markdown = (text: string): string =>
  new Marked()
    .parse(text, { async: false })
    .replaceAll('<code>/contract</code>', '<a href="./contract">/contract</a>');

/** The REST reference as HTML, from `schema/openapi.json`. Of two methods that do the same, it shows the documented one. */
export async function renderReference(): Promise<string> {
  const text = await readFile(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    documented(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags[0] ?? []))];
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags[0] === tag);
  const contents = tags.map(
    (tag) =>
      `<li>${tag}<ul>${ofTag(tag)
        .map(
          ({ method, operation: { operationId, summary } }) =>
            `<li><a href="#${operationId}"><b>${method}</b> ${summary}</a></li>`,
        )
        .join('')}</ul></li>`,
  );
  return `<nav class="contents" aria-label="Contents"><ul>${contents.join('')}</ul></nav>
<main class="reference">
<h1>REST reference</h1>
${markdown(document.info.description)}
<p><a href="./openapi.json">openapi.json</a> is the same for programs. <span id="token-note">Put a token into the field of an operation to try it.</span></p>
${operations.map((each) => section(each, document)).join('\n')}
</main>`;
}

const documented = (methods: Record<string, Operation>): [string, Operation][] => {
  const all = Object.entries(methods);
  const [kept] = all.filter(([method]) => method === 'patch' || method === 'post');
  return all
    .filter((each) => each === kept || (each[0] !== 'patch' && each[0] !== 'post'))
    .map(([method, operation]) => [method.toUpperCase(), operation]);
};

function section(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  { components }: OpenApi,
): string {
  const { operationId: id, summary, description, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map((each) =>
    '$ref' in each ? components.parameters[each.$ref.split('/').at(-1) ?? '']! : each,
  );
  const rules = fieldStatements[id];
  const contents = Object.entries(requestBody?.content ?? {});
  const [type, body] = contents.find(([each]) => each.startsWith('multipart')) ?? contents[0] ?? [];
  const successes = Object.entries(responses).filter(([status]) => status < '400');
  const errors = Object.entries(responses).filter(([status]) => status >= '400');
  const samples = (operation['x-codeSamples'] ?? []).map(
    ({ label, source }, index) =>
      `<details name="${id}-samples"${index === 0 ? ' open' : ''}><summary>${escapeHtml(label)}</summary>${sample(source)}</details>`,
  );
  const [, success] = successes[0] ?? [];
  const reply = Object.values(success?.content ?? {})[0];
  const example = reply?.example ?? Object.values(reply?.examples ?? {})[0]?.value;
  return `<section id="${id}" class="operation" aria-labelledby="${id}-title">
<div class="description">
<h2 id="${id}-title">${summary}</h2>
<p><b class="method">${method}</b> <code>${path}</code></p>
${markdown(description)}
${fieldList(
  'Parameters',
  parameters.map((each) => parameterRow(id, each)),
)}
${body ? fieldList(`Fields of the body: ${contents.map(([each]) => each).join(', ')}`, rowsOf(id, body.schema)) : ''}
${rules ? `<p><a href="./contract#${rules}">${rules}, the rules of these fields</a></p>` : ''}
${errors.length > 0 ? `<details class="errors"><summary>Errors</summary><dl>${errors.map(([status, each]) => `<dt>${status}</dt><dd>${linkCodes(markdown(each.description))}</dd>`).join('')}</dl></details>` : ''}
</div>
<div class="call">
${samples.join('\n')}
${successes.map(([status, each]) => `<p><b>${status}</b> ${inline(each.description)}</p>`).join('')}
${example === undefined ? '' : sample(typeof example === 'string' ? example : JSON.stringify(example, null, 2))}
</div>
${tryForm({ path, method, operation, parameters, type, body })}
</section>`;
}

const inline = (text: string): string => new Marked().parseInline(text, { async: false });

/** The codes of errors lead to the catalogue of the contract. */
const linkCodes = (html: string): string =>
  html.replace(
    /<code>([a-z]+(?:-[a-z]+)+)<\/code>(?=:)/g,
    '<a href="./contract#error-$1"><code>$1</code></a>',
  );

const fieldList = (title: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<h3>${title}</h3><div class="fields" tabindex="0" role="group" aria-label="${title}"><dl>${rows.join('')}</dl></div>`;

const parameterRow = (id: string, { name, in: place, required, description, schema }: Parameter): string =>
  row(
    `${id}.${name}`,
    name,
    `${typeOf(schema)}, ${place}${required ? ', required' : ''}`,
    inline(description ?? ''),
  );

function rowsOf(id: string, { properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const type = `${typeOf(schema)}${required.includes(name) ? ', required' : ''}`;
    return row(`${id}.${name}`, name, type, inline(schema.description ?? ''));
  });
}

const row = (id: string, name: string, type: string, description: string): string =>
  `<div id="${id}"><dt><code>${name}</code> <small>${type}</small></dt><dd>${description}</dd></div>`;

function typeOf({ type, enum: values, anyOf, oneOf, items }: Schema): string {
  if (values) return values.map((value) => `<code>${value}</code>`).join(' or ');
  const choices = anyOf ?? oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}

interface Trial {
  path: string;
  method: string;
  operation: Operation;
  parameters: readonly Parameter[];
  type: string | undefined;
  body: Content | undefined;
}

/** The script sends the form. Without the script, it stays hidden. */
function tryForm({ path, method, operation, parameters, type, body }: Trial): string {
  const { summary, security = [] } = operation;
  const example = (body?.example ?? {}) as Record<string, string | number | null>;
  const input = (place: string, name: string, value: string | number | null | undefined, schema: Schema) => {
    const isFile = /logo$/.test(name) && place === 'body';
    const attributes = `name="${name}" data-in="${place}"`;
    if (isFile) return `<label>${name} <input type="file" ${attributes}></label>`;
    if (schema.enum)
      return `<label>${name} <select ${attributes}><option></option>${schema.enum.map((each) => `<option${each === value ? ' selected' : ''}>${each}</option>`).join('')}</select></label>`;
    return `<label>${name} <input ${attributes} value="${escapeHtml(String(value ?? ''))}"></label>`;
  };
  const inputs = parameters
    .filter(({ name }) => name !== 'Prefer')
    .map(({ name, in: place, schema, example: value }) =>
      input(place, name, place === 'header' ? undefined : value, schema),
    );
  const dryRun =
    inputs.length === parameters.length
      ? ''
      : '<label><input type="checkbox" name="Prefer" data-in="header" value="validate-only"> Dry run (<code>Prefer: validate-only</code>)</label>';
  const fields = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) =>
    input('body', name, example[name], schema),
  );
  return `<details class="try"><summary>Try it: ${summary}</summary>
<form data-method="${method}" data-path="${path}"${type ? ` data-type="${type}"` : ''} aria-label="${summary}">
${security.length > 0 ? '<label>Token <input data-in="token" name="token" type="password" autocomplete="off"></label>' : ''}
${inputs.join('\n')}
${fields.join('\n')}
<p>${dryRun}<button>Send</button><output></output></p>
<pre tabindex="0" hidden><code></code></pre>
</form></details>`;
}
