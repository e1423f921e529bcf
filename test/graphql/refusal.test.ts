import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody, rest } from '../support/requests.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const json = { 'content-type': 'application/json' };
const unreadable = 'The body of the request cannot be read.';
const mutation =
  'mutation { updateCompany(input: { mediaPublicId: "demo-media", companyPublicId: "acme" }) { company { name } } }';

/** What is refused before an operation runs: how it is sent, and the code, status and French message that it has. */
const refusals: [string, string, RequestInit, [error: string, status: number, french: string | null]][] = [
  [
    'a body that holds no document',
    '',
    { method: 'POST', headers: json, body: '{"query":1}' },
    ['body-format-error', 400, 'Le corps de la requête est illisible.'],
  ],
  [
    'a batch',
    '',
    { method: 'POST', headers: json, body: '[{"query":"{ __typename }"}]' },
    ['body-format-error', 400, 'Le corps de la requête est illisible.'],
  ],
  [
    'what a page of any origin could send unasked',
    '?query={__typename}',
    {},
    ['body-format-error', 400, 'Le corps de la requête est illisible.'],
  ],
  [
    'a type that GET does not have',
    '?query={__typename}',
    { headers: { 'content-type': 'application/xml' } },
    ['content-type-not-supported', 415, 'Ce type de contenu n’est pas accepté ici.'],
  ],
  [
    'a mutation by GET',
    `?query=${encodeURIComponent(mutation)}`,
    { headers: json },
    ['method-not-allowed', 405, 'Ce chemin n’accepte pas cette méthode.'],
  ],
  [
    'a document by its hash alone',
    '',
    {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
    },
    [
      'body-format-error',
      400,
      'Le corps de la requête est illisible: aucun document approuvé n’a cette empreinte.',
    ],
  ],
  [
    'a document that does not parse',
    '',
    { method: 'POST', headers: json, body: '{"query":"{"}' },
    ['body-format-error', 400, null],
  ],
];

async function ask(search: string, request: RequestInit, language: string) {
  const headers = { ...(request.headers as Record<string, string>), 'accept-language': language };
  const reply = await fetch(`${gateway.url}/graphql${search}`, { ...request, headers });
  const { errors = [] } = (await reply.json()) as GraphQLBody;
  return { status: reply.status, headers: reply.headers, error: errors[0], count: errors.length };
}

describe('what GraphQL refuses before an operation runs', () => {
  it.each(refusals)(
    '%s has the code of the catalogue, its status in HTTP and in extensions, and the language asked for (Contract 7.1.1, 7.2.1, 7.2.4, 7.8)',
    async (_what, search, request, [code, expected, french]) => {
      const { status, headers, error, count } = await ask(search, request, 'fr');
      const requestId = headers.get('x-request-id');
      expect({ status, count, extensions: error?.extensions }).toEqual({
        status: expected,
        count: 1,
        extensions: { code: expect.any(String), error: code, status: expected, requestId },
      });
      const english = await ask(search, request, 'en');
      expect(english.error?.message).not.toBe(unreadable);
      expect(error?.message).toBe(french ?? english.error?.message);
      expect(headers.get('allow')).toBe(expected === 405 ? 'POST' : null);
    },
  );

  it.each([
    'text/html',
    'application/json;version=1',
    'application/json; charset=iso-8859-1',
    'application/json;q=0',
    'application/jsonl',
    'application/json-patch+json',
    '',
  ])(
    'is nothing for its Accept, of which the caller would only be told once it had run: %p (Contract 4.4.11)',
    async (accept) => {
      const update = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { salary } } }`;
      const salary = `by ${accept}`.slice(0, 30);
      const input = {
        mediaPublicId: 'demo-media',
        companyPublicId: 'acme',
        jobPublicId: 'acme-backend-engineer',
        salary,
      };
      const { status, headers, body } = await graphql(
        gateway,
        update,
        { input },
        { token, headers: { accept } },
      );
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body.data).toEqual({ updateJob: { job: { salary: salary.trim() } } });
      const form = { media_public_id: 'demo-media', company_public_id: 'acme', salary };
      const options = { token, headers: { accept } };
      const ofRest = await rest(gateway, 'POST', '/jobs/acme-backend-engineer', { form }, options);
      expect(ofRest.status).toBe(200);
    },
  );

  it.each([
    [undefined, 'application/json'],
    ['text/html', 'application/json'],
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json;charset=utf-8', 'application/graphql-response+json'],
  ])(
    'is told in the type that an answer has, whoever refuses: Accept %s (Contract 4.4.11)',
    async (accept, type) => {
      const typed = (headers: Record<string, string> = {}) => ({
        headers: { ...json, ...headers, ...(accept !== undefined && { accept }) },
      });
      const post = (body: string, headers?: Record<string, string>) => ({
        method: 'POST',
        body,
        ...typed(headers),
      });
      const sent: [search: string, request: RequestInit, status: number][] = [
        ['', post('{"query":"{ __typename }"}'), 200],
        ['', post('{"query":"{"}'), 400],
        ['', post('{"query":1}'), 400],
        ['', post('{'), 400],
        ['', post('{}', { 'content-type': 'application/xml' }), 415],
        ['', post('{"query":"{ __typename }"}', { authorization: 'Bearer none' }), 401],
        ['', post(JSON.stringify({ documentId: '0'.repeat(64) })), 400],
        [`?query=${encodeURIComponent(mutation)}`, typed(), 405],
      ];
      for (const [search, request, expected] of sent) {
        const { status, headers } = await ask(search, request, 'en');
        expect([status, headers.get('content-type')]).toEqual([expected, `${type}; charset=utf-8`]);
      }
    },
  );
});
