import { readFileSync } from 'node:fs';
import { documentedPath } from '../errors/snake-case.js';
import { documentedFields, type Method, type Operation, operations } from '../operations.js';
import { exampleOf } from '../rest/openapi-operations.js';
import { sample } from './highlight.js';
import { type DescribedOperation } from './openapi-document.js';
import { tabs } from './tabs.js';

interface Call {
  method: string;
  /** With the query, after `$BASE_URL`. */
  path: string;
  /** The fields of a JSON body, all of them texts. */
  body: Readonly<Record<string, string>> | undefined;
}

const quoted = (text: string, quote = `'\\''`): string => `'${text.replaceAll("'", quote)}'`;
const json = (value: unknown, indent = ''): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);

const curl = ({ method, path, body }: Call, parts: readonly string[] = []): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${path}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...(body ? ["  -H 'Content-Type: application/json'", `  -d ${quoted(json(body, '  '))}`] : []),
    ...parts.map((part) => `  -F '${part}'`),
  ].join(' \\\n');

const viaFetch = ({ method, path, body }: Call): string =>
  body
    ? `const reply = await fetch('$BASE_URL${path}', {
  method: '${method}',
  headers: { Authorization: 'Bearer $TOKEN', 'Content-Type': 'application/json' },
  body: JSON.stringify(${json(body, '  ')}),
});
console.log(reply.status, await reply.json());`
    : `const reply = await fetch('$BASE_URL${path}', {
  headers: { Authorization: 'Bearer $TOKEN' },
});
console.log(reply.status, await reply.json());`;

const python = ({ method, path, body }: Call): string =>
  `import json, urllib.request

request = urllib.request.Request(
    "$BASE_URL${path}",
    method="${method}",
    headers={"Authorization": "Bearer $TOKEN"${body ? ', "Content-Type": "application/json"' : ''}},
${body ? `    data=json.dumps(${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')}).encode(),\n` : ''})
with urllib.request.urlopen(request) as reply:
    print(reply.status, json.load(reply))`;

const php = ({ method, path, body }: Call): string => {
  const entries = Object.entries(body ?? {}).map(
    ([name, value]) => `        '${name}' => ${quoted(value, "\\'")},\n`,
  );
  const sent = body
    ? `    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_POSTFIELDS => json_encode([
${entries.join('')}    ]),
`
    : '';
  return `<?php
$call = curl_init('$BASE_URL${path}');
curl_setopt_array($call, [
    CURLOPT_RETURNTRANSFER => true,
${sent}    CURLOPT_HTTPHEADER => ['Authorization: Bearer $TOKEN'${body ? ", 'Content-Type: application/json'" : ''}],
]);
echo curl_exec($call), "\\n";`;
};

/** The client package has a document for each operation, with the variables of its example. */
const client = (field: string, variables: string): string => {
  const name = `${field.charAt(0).toUpperCase()}${field.slice(1)}Document`;
  return `import { ${name} } from 'recruitment-gateway-client';
import { GraphQLClient } from 'graphql-request';

const client = new GraphQLClient('$BASE_URL/graphql', {
  headers: { authorization: 'Bearer $TOKEN' },
});
const { ${field} } = await client.request(${name}, ${variables.replace(/"(\w+)":/g, '$1:')});
console.log(${field});`;
};

const examples = new URL('../../schema/examples/operations/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, examples), 'utf8').trimEnd();

/** The path with the examples of its parameters; of updates, all else is in the body. */
function examplePath({ path, method, parameters }: DescribedOperation): string {
  const given = parameters.flatMap(({ name, in: place, example }) =>
    [example ?? []].flat().map((value) => ({ name, place, value: String(value) })),
  );
  const filled = given
    .filter(({ place }) => place === 'path')
    .reduce((url, { name, value }) => url.replace(`{${name}}`, value), path);
  const query = new URLSearchParams(
    given.flatMap(({ name, place, value }) =>
      place === 'query' && method === 'GET' ? [[name, value] as [string, string]] : [],
    ),
  );
  return query.size > 0 ? `${filled}?${query.toString()}` : filled;
}

/** The example call of an operation in several languages, as tabs. Paths that need no token have none. */
export function callSamples(described: DescribedOperation): string {
  const { operationId: id, requestBody } = described.operation;
  const field = documentedFields.find((each) => {
    const { path, methods }: NonNullable<Operation['rest']> = operations[each].rest;
    return documentedPath(path) === described.path && methods.includes(described.method as Method);
  });
  if (field === undefined) return '';
  const example = exampleOf(field);
  const variables = read(`${example}.variables.json`);
  const call: Call = {
    method: described.method,
    path: examplePath(described),
    body: requestBody?.content['application/json']?.example as Call['body'],
  };
  const fields = Object.entries(call.body ?? {}).map(([name, value]) => `${name}=${value}`);
  const sources = {
    curl: curl(call),
    fetch: viaFetch(call),
    Client: client(field, variables),
    Python: python(call),
    PHP: php(call),
    GraphQL: `${read(`${example}.graphql`)}\n# Variables:\n${variables.replace(/^/gm, '# ')}`,
    ...(requestBody?.content['multipart/form-data'] && {
      'curl, file': curl({ ...call, body: undefined }, [...fields, 'logo=@logo.png']),
    }),
  };
  const panels = Object.entries(sources).map(([name, source]) => ({ name, html: sample(source) }));
  return tabs(`${id}-call`, 'Language', panels, 'code');
}
