import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody } from '../support/requests.js';

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

  it('is nothing that the caller would only be told of once it had run: JSON is answered whatever is accepted (Contract 7.2.3)', async () => {
    const input = {
      mediaPublicId: 'demo-media',
      companyPublicId: 'acme',
      jobPublicId: 'acme-backend-engineer',
      salary: 'to be told',
    };
    const update = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { salary } } }';
    const { status, body } = await graphql(
      gateway,
      update,
      { input },
      { token, headers: { accept: 'text/html' } },
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { updateJob: { job: { salary: 'to be told' } } } });
  });
});
