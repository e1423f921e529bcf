import { companyFields } from '../company/company-fields.rules.js';
import { snakeCase } from '../errors/snake-case.js';
import { jobFields } from '../job/job-fields.rules.js';
import { escapeHtml } from '../text/html-writer.rules.js';
import { type DescribedOperation, type Parameter, type Schema } from './openapi-document.js';

/** Groups of body fields; the first that matches counts. */
const groups: readonly [legend: string, names: RegExp][] = [
  ['Record', /public_id$|^(name|domain_url|state|expires_at)$/],
  ['Choices', /_id$/],
  ['Pay', /^salary/],
  ['Texts', /^(localisation|description)/],
  ['Application', /^application|_emails$/],
  ['Logo', /^logo/],
];

interface Field {
  name: string;
  in: 'token' | 'path' | 'query' | 'header' | 'body';
  schema?: Schema;
  value?: Parameter['example'] | undefined;
}

/** The script shows and sends the form. Without the script, it stays hidden. */
export function tryForm({ path, method, operation, parameters }: DescribedOperation): string {
  const { operationId: id, summary, security = [], requestBody } = operation;
  const contents = Object.values(requestBody?.content ?? {});
  const json = requestBody?.content['application/json'];
  // Only JSON has null, and only a multipart form has files.
  const types = contents.map(({ schema }) => schema.properties ?? {});
  const properties = { ...types[0], ...json?.schema.properties };
  const example = (json?.example ?? {}) as Record<string, string>;
  const body = Object.entries(properties).map(([name, schema]) => ({
    group: groups.find(([, names]) => names.test(name))?.[0] ?? 'Record',
    html: field(id, { name, in: 'body', schema, value: example[name] }),
  }));
  const call = [
    ...(security.length > 0 ? [field(id, { name: 'token', in: 'token' })] : []),
    ...parameters
      .filter(({ name }) => name !== 'Prefer')
      .map((each) => field(id, { ...each, value: each.in === 'header' ? undefined : each.example })),
  ];
  const hasDryRun = parameters.some(({ name }) => name === 'Prefer');
  const dryRun = hasDryRun
    ? '<label><input type="checkbox" name="Prefer" data-in="header" value="validate-only" checked> Dry run (<code>Prefer: validate-only</code>): check, but write nothing</label>'
    : '';
  const sets = [
    fieldset('Call', call),
    ...groups.map(([legend]) =>
      fieldset(
        legend,
        body.filter(({ group }) => group === legend).map(({ html }) => html),
      ),
    ),
  ];
  return `<details class="try"><summary>Try it: ${summary}</summary>
<form data-method="${method}" data-path="${path}"${json ? ' data-body' : ''} aria-label="${summary}" novalidate>
${sets.join('\n')}
<h3>Request</h3>
<pre tabindex="0" class="request"><code></code></pre>
<p>${dryRun}<button>Send</button><output></output></p>
<pre tabindex="0" class="reply" hidden><code></code></pre>
</form></details>`;
}

const fieldset = (legend: string, fields: readonly string[]): string =>
  fields.length === 0 ? '' : `<fieldset><legend>${legend}</legend>${fields.join('\n')}</fieldset>`;

/** The kind of `/references/{kind}` whose ids a field takes, by the documented name of the field. */
const kinds = new Map(
  Object.entries({ ...companyFields, ...jobFields }).flatMap(
    ([
      name,
      {
        type: { refersTo },
      },
    ]) => (refersTo ? [[snakeCase(name), refersTo.kind] as const] : []),
  ),
);

function field(operation: string, { name, in: place, schema = {}, value }: Field): string {
  const id = `try-${operation}-${name}`;
  const kind = kinds.get(name.replaceAll('-', '_'));
  const text = String(value ?? '');
  const attributes = `id="${id}" name="${name}" data-in="${place}"${kind ? ` data-references="${kind}"` : ''} aria-describedby="${id}-fault"`;
  const choices = schema.enum ?? schema.items?.enum;
  return `<div><label for="${id}">${name}</label>${place === 'body' && name !== 'logo' ? modes(name, schema, text !== '') : ''}
${input(attributes, { name, place, choices, text })}
<p class="fault" id="${id}-fault" hidden></p></div>`;
}

/** Says whether a body has the field: leaving a field out keeps its value, null clears it. */
const modes = (name: string, schema: Schema, isSent: boolean): string =>
  `<select class="mode" aria-label="What to send as ${name}"><option value="">leave out</option><option value="value"${isSent ? ' selected' : ''}>value</option>${isNullable(schema) ? '<option value="null">null</option>' : ''}</select>`;

const isNullable = ({ type = [], anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some(isNullable);

function input(
  attributes: string,
  {
    name,
    place,
    choices,
    text,
  }: { name: string; place: string; choices?: string[] | undefined; text: string },
): string {
  if (name === 'logo') return `<input type="file" ${attributes}>`;
  if (place === 'token') return `<input type="password" autocomplete="off" ${attributes}>`;
  if (choices)
    return `<select ${attributes}><option></option>${choices.map((each) => `<option${each === text ? ' selected' : ''}>${each}</option>`).join('')}</select>`;
  if (name.startsWith('description'))
    return `<textarea rows="2" ${attributes}>${escapeHtml(text)}</textarea>`;
  return `<input ${attributes} value="${escapeHtml(text)}">`;
}
