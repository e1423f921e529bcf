import { Marked } from 'marked';
import { readFile } from 'node:fs/promises';
import { operationsByName, type WrittenRecord } from '../operations.js';
import { callSamples } from './call-samples.js';
import { sample } from './highlight.js';
import {
  type DescribedOperation,
  type OpenApi,
  type Operation,
  type Parameter,
  type Reply,
  type Schema,
} from './openapi-document.js';
import { contentsOf } from './render-documents.js';
import { tabs } from './tabs.js';
import { tryForm } from './try-form.js';

/** The statements of the contract that describe the fields of a mutation, by the record that it writes. */
const fieldStatements: Record<WrittenRecord, string> = { company: '5.2.2', job: '5.4.2' };

const markdown = (text: string): string =>
  new Marked()
    .parse(text, { async: false })
    .replaceAll('<code>/contract</code>', '<a href="./contract">/contract</a>');

/** The REST reference as HTML, from `schema/openapi.json`. Where two methods do the same, it shows the documented one. */
export async function renderReference(): Promise<string> {
  const text = await readFile(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
  const { info, paths, components } = JSON.parse(text) as OpenApi;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    documented(methods).map(([method, operation]) => ({
      ...{ path, method, operation },
      parameters: (operation.parameters ?? []).map((each) =>
        '$ref' in each ? components.parameters[each.$ref.split('/').at(-1) ?? '']! : each,
      ),
    })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags[0] ?? []))];
  const chapters = tags.map((tag) => ({
    link: tag,
    parts: operations
      .filter(({ operation }) => operation.tags[0] === tag)
      .map(
        ({ method, operation: { operationId, summary } }) =>
          `<a href="#${operationId}">${methodMark(method)} ${summary}</a>`,
      ),
  }));
  return `${contentsOf(chapters)}
<main class="reference">
<h1>REST reference</h1>
${markdown(info.description)}
<p><a href="./openapi.json">openapi.json</a> is the same for programs. <span id="token-note">Put a token into the field of an operation to try it.</span></p>
${operations.map(section).join('\n')}
</main>`;
}

const methodMark = (method: string): string => `<b class="method ${method.toLowerCase()}">${method}</b>`;

const documented = (methods: Record<string, Operation>): [string, Operation][] => {
  const all = Object.entries(methods);
  const [kept] = all.filter(([method]) => method === 'patch' || method === 'post');
  return all
    .filter((each) => each === kept || (each[0] !== 'patch' && each[0] !== 'post'))
    .map(([method, operation]) => [method.toUpperCase(), operation]);
};

function section(described: DescribedOperation): string {
  const { path, method, operation, parameters } = described;
  const { operationId: id, summary, description, requestBody, responses } = operation;
  const record = operationsByName.get(id)?.record;
  const rules = record && fieldStatements[record];
  const contents = Object.entries(requestBody?.content ?? {});
  const [, body] = contents.find(([each]) => each.startsWith('multipart')) ?? contents[0] ?? [];
  return `<section id="${id}" class="operation" aria-labelledby="${id}-title">
<div class="description">
<h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
<p>${methodMark(method)} <code>${path}</code></p>
${markdown(description)}
${fieldList(
  'Parameters',
  parameters.map((each) => parameterRow(id, each)),
)}
${body ? fieldList(`Fields of the body: ${contents.map(([each]) => each).join(', ')}`, rowsOf(id, body.schema)) : ''}
${rules ? `<p><a href="./contract#${rules}">${rules}, the rules of these fields</a></p>` : ''}
</div>
<div class="call"><div>
${callSamples(described)}
${tabs(
  `${id}-reply`,
  'Reply',
  Object.entries(responses).map(([status, reply]) => ({ name: status, html: replyPanel(reply) })),
)}
</div></div>
${tryForm(described)}
</section>`;
}

const inline = (text: string): string => new Marked().parseInline(text, { async: false });

/** The codes of errors lead to what each means. */
const linkCodes = (html: string): string =>
  html.replace(/<code>([a-z]+(?:-[a-z]+)+)<\/code>(?=:)/g, '<a href="./errors#$1"><code>$1</code></a>');

function replyPanel({ description, content = {} }: Reply): string {
  const [{ example, examples = {} } = {}] = Object.values(content);
  const shown = example ?? Object.values(examples)[0]?.value;
  const code = typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
  return linkCodes(markdown(description)) + (shown === undefined ? '' : sample(code));
}

const mostRows = 8;

const fieldList = (title: string, rows: readonly string[]): string => {
  const more = rows.slice(mostRows);
  return rows.length === 0
    ? ''
    : `<h3>${title}</h3><dl class="fields">${rows.slice(0, mostRows).join('')}</dl>
${more.length > 0 ? `<details class="more"><summary>${more.length} more</summary><dl class="fields">${more.join('')}</dl></details>` : ''}`;
};

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
  `<div id="${id}"><dt><a href="#${id}"><code>${name}</code></a> <small>${type}</small></dt><dd>${description}</dd></div>`;

function typeOf({ type, enum: values, anyOf, oneOf, items }: Schema): string {
  if (values) return values.map((value) => `<code>${value}</code>`).join(' or ');
  const choices = anyOf ?? oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}
