import { existsSync, readFileSync } from 'node:fs';
import { catalogue, type ErrorCode } from '../errors/catalogue.js';
import { sample } from './highlight.js';
import { tabs } from './tabs.js';

const folder = new URL('../../schema/examples/errors/', import.meta.url);

const read = (file: string): string =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .replaceAll('{{gateway}}', '$BASE_URL')
    .replaceAll('{{token}}', '$TOKEN');

/** Adds to the chapter of each code its status and message, and its request and reply over both APIs. */
export const withExamples = (html: string): string =>
  html.replace(/(<h2 id="([a-z-]+)">.*<\/h2>)([^]*?)(?=<h2|$)/g, (_all, head: string, code, text: string) => {
    const { status, message } = catalogue[code as ErrorCode];
    return `<section class="operation"><div class="description">${head}
<p><b>${status}</b> ${message.en}</p>${text}</div><div class="call"><div>${examplesOf(code as ErrorCode)}</div></div></section>`;
  });

function examplesOf(code: ErrorCode): string {
  const rest = { name: 'REST', html: sample(read(`${code}.http`)) + sample(read(`${code}.answer.http`)) };
  // Errors that happen before an operation is known have no example over GraphQL.
  if (!existsSync(new URL(`${code}.graphql`, folder))) return tabs(code, 'API', [rest]);
  const variables = read(`${code}.variables.json`).replace(/^/gm, '# ');
  const call = `${read(`${code}.graphql`)}\n# Variables:\n${variables}`;
  const graphql = { name: 'GraphQL', html: sample(call) + sample(read(`${code}.answer.json`)) };
  return tabs(code, 'API', [rest, graphql], 'api');
}
