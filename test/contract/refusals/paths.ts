import * as to from './requests.js';
import { type Refusal, told } from './refusal.js';

const { job, company, json, urlencoded } = to;

const postOrPatch = (path: string, types: readonly string[], hint: readonly [string, string]) =>
  (
    [
      [
        hint,
        [
          ...[
            'text/plain',
            'text/xml',
            'application/octet-stream',
            'application/vnd.api+json',
            'nonsense',
            ';',
          ],
          ...(types.includes('multipart/form-data') ? [] : [to.mixed]),
        ],
      ],
      [
        'the charset must be UTF-8',
        [
          ...[
            `${json}; charset=utf-16`,
            `${urlencoded}; charset=iso-8859-1`,
            `${urlencoded};charset="latin1"`,
          ],
          ...(types.includes('multipart/form-data') ? [`${to.mixed}; charset=iso-8859-1`] : []),
        ],
      ],
    ] as const
  ).map(([told, refused]): Refusal => ({
    title: `the content types ${refused.join(', ')} for ${path} (Contract 5.1.1)`,
    code: 'content-type-not-supported',
    hint: told,
    headers: { 'accept-post': types.join(', '), 'accept-patch': types.join(', ') },
    sent: refused.flatMap((type) =>
      ['POST', 'PATCH'].map((method) => ({ ...to.rest(path, type, 'x'), method })),
    ),
  }));

export const unsupported: readonly Refusal[] = [
  ...postOrPatch(
    company,
    ['multipart/form-data', json, urlencoded],
    [
      `send multipart/form-data, ${json}, or ${urlencoded}`,
      `envoyez multipart/form-data, ${json} ou ${urlencoded}`,
    ],
  ),
  ...postOrPatch(
    job,
    [json, urlencoded],
    [`send ${json} or ${urlencoded}`, `envoyez ${json} ou ${urlencoded}`],
  ),
  ...told('content-type-not-supported', {
    [`send ${json} or multipart/form-data`]: [
      to.graphqlBody('x', 'text/plain'),
      // Web pages can send these without a preflight.
      ...['text/plain', urlencoded].map((type) => to.rest('/graphql', type, '{"query":"{ __typename }"}')),
    ],
    'the charset must be UTF-8': [
      to.graphqlBody('{"query":"{ __typename }"}', `${json}; charset=iso-8859-1`),
      to.graphqlBody(to.operations() + to.end, `${to.mixed}; charset=iso-8859-1`),
    ],
  }),
  {
    title: 'a GET with the content type application/xml',
    code: 'content-type-not-supported',
    message: [
      'GET requests may not have a content-type header other than application/json.',
      'Ce type de contenu n’est pas accepté ici.',
    ],
    sent: [to.get('{__typename}', { 'content-type': 'application/xml' })],
  },
];

export const nowhere: readonly Refusal[] = [
  {
    title: 'an unknown path',
    code: 'not-found' as const,
    sent: [
      ...[
        '/companies/',
        '//',
        '/graphql/',
        '//jobs//acme-backend-engineer/',
        '///nothing',
        '/jobs/a/b/',
        '/nothing',
        '/company',
      ],
      ...['/companies/acme', '/Companies', '/companies%2F', '/.env', '/v1/companies', '/jobs/a%2Fb/c'],
    ].map(to.at),
  },
].map((row) => ({ ...row, bucket: null }));
