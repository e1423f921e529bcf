import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ErrorCode } from '../../src/errors/catalogue.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { type GraphQLBody } from '../support/requests.js';
import { badTokens } from '../support/tokens.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    LOGO_MAX_SIZE: '2KiB',
    BODY_MAX_SIZE: '1KiB',
    MUTATION_QUOTA: '1000/1s',
    UPDATE_JOB_QUOTA: '1000/1s',
  });
});
afterAll(() => gateway.stop());

const job = '/jobs/acme-backend-engineer';
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const fields = 'media_public_id=demo-media&company_public_id=acme';

interface Sent {
  method?: string;
  type?: string;
  /** The `Authorization` header; null for none. Default: a valid token. */
  by?: string | null;
  headers?: Record<string, string>;
  body?: string | Buffer | FormData;
}

async function send(path: string, { method = 'POST', type, by, headers = {}, body }: Sent) {
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      ...(by !== null && { authorization: by ?? `Bearer ${await gateway.token()}` }),
      ...(type && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const { error, errorMessage, errors, warnings } = (await response.json()) as {
    error?: ErrorCode;
    errorMessage?: string;
    errors?: { message: string }[];
    warnings?: { field: string; code: string }[];
  };
  const faults = errors?.map(({ message }) => message);
  return { status: response.status, headers: response.headers, error, said: errorMessage, faults, warnings };
}

const saidOf = async (path: string, sent: Sent) => {
  const { error, said } = await send(path, sent);
  return [error, said];
};

describe('WWW-Authenticate', () => {
  const challenge = async (by: string | null) =>
    (await send(job, { by, type: form, body: fields })).headers.get('www-authenticate');
  const realm = 'Bearer realm="gateway"';
  const token = async (claims: object) => `Bearer ${await gateway.token(claims)}`;

  it('says what is wrong with a token, without quoting it (Contract 5.5)', async () => {
    const invalid = (description: string) =>
      `${realm}, error="invalid_token", error_description="${description}"`;
    const bad = await badTokens(gateway.settings);
    const described: Record<keyof typeof bad, string> = {
      expired: 'the token has expired',
      wrongKey: 'the signature does not verify',
      wrongAudience: 'the claim aud is missing or does not have the expected value',
      wrongIssuer: 'the claim iss is missing or does not have the expected value',
      algNone: 'the gateway does not accept this alg',
      hmacWithPublicKey: 'the gateway does not accept this alg',
      notAToken: 'the token is malformed',
    };
    for (const [name, description] of Object.entries(described))
      expect(await challenge(`Bearer ${bad[name as keyof typeof bad]}`)).toBe(invalid(description));
    expect(await challenge('Basic c3Bvb24=')).toBe(invalid('the header is not Bearer and a token'));
  });

  it('names the missing scope (Contract 5.5)', async () => {
    expect(await challenge(await token({ scope: 'r_jobs' }))).toBe(
      `${realm}, error="insufficient_scope", scope="r_w_jobs", error_description="the token lacks the scope r_w_jobs"`,
    );
  });

  it('gives no reason if the token is missing or does not cover the media (Contract 5.5)', async () => {
    expect(await challenge(null)).toBe(realm);
    expect(await challenge(await token({ media: ['elsewhere'] }))).toBe(realm);
  });
});

describe('the message of payload-too-large', () => {
  const large = 'The request or its answer is too large';

  it('names the limit of the body (Contract 7.1.5)', async () => {
    const body = `${fields}&salary=${'1'.repeat(1_024)}`;
    const answer = ['payload-too-large', `${large}: the body must have at most 1024 bytes.`];
    expect(await saidOf(job, { type: form, body })).toEqual(answer);
    expect(await saidOf('/companies', { method: 'PATCH', type: form, body })).toEqual(answer);
  });

  it('names the field and its limit (Contract 7.1.5)', async () => {
    const multipart = (name: string, part: string | Blob) => {
      const body = new FormData();
      body.append('media_public_id', 'demo-media');
      body.append(name, part);
      return saidOf('/companies', { method: 'PATCH', body });
    };
    expect(await multipart('logo', new Blob(['x'.repeat(2_049)]))).toEqual([
      'payload-too-large',
      `${large}: logo must have at most 2048 bytes.`,
    ]);
    expect(await multipart('description', 'x'.repeat(1_024))).toEqual([
      'payload-too-large',
      `${large}: description and the fields before it together must have at most 1024 bytes.`,
    ]);
    expect(await multipart('logo', new Blob(['x'.repeat(5_000)]))).toEqual([
      'payload-too-large',
      `${large}: logo must have at most 2048 bytes, and everything else together must have at most 1024 bytes.`,
    ]);
  });

  it('names the same limits in a GraphQL multipart request (Contract 7.1.5)', async () => {
    const query =
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { warnings { code } } }';
    const input = { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo: null };
    const saidFor = async (files: Blob[], operations = JSON.stringify({ query, variables: { input } })) => {
      const multipart = new FormData();
      multipart.append('operations', operations);
      multipart.append('map', '{"0":["variables.input.logo"]}');
      for (const [index, file] of files.entries()) multipart.append(String(index), file);
      const packed = new Response(multipart);
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await gateway.token()}`,
          'apollo-require-preflight': 'true',
          'content-type': packed.headers.get('content-type') ?? '',
        },
        // A stream has no Content-Length, so only the parser can measure the body.
        body: packed.body,
        duplex: 'half',
      });
      const { errors } = (await response.json()) as GraphQLBody;
      return [errors?.[0]?.extensions.error, errors?.[0]?.message];
    };
    const file = (bytes: number) => new Blob(['x'.repeat(bytes)]);
    const isTooLarge = (hint: string) => ['payload-too-large', `${large}: ${hint}.`];
    for (const bytes of [2_049, 5_000])
      expect(await saidFor([file(bytes)])).toEqual(isTooLarge('logo must have at most 2048 bytes'));
    expect(await saidFor([file(1)], ' '.repeat(1_025))).toEqual(
      isTooLarge('operations must have at most 1024 bytes'),
    );
    expect(await saidFor([file(1), file(1)])).toEqual(isTooLarge('send at most one file'));
  });

  it('repeats at most 40 characters of what was sent (Contract 8.6.8)', async () => {
    const body = new FormData();
    body.append('n'.repeat(900), 'x'.repeat(200));
    const { said } = await send('/companies', { method: 'PATCH', body });
    expect(said).toContain(`: ${'n'.repeat(40)}… and the fields`);
    expect(said).not.toContain('n'.repeat(41));
  });
});

describe('the message of body-format-error', () => {
  const cannot = 'The body of the request cannot be read';

  it.each<[string, string, string | Buffer, string]>([
    ['truncated JSON', json, '{"salary": "1"', 'it stops being JSON at line 1, character 15'],
    ['a trailing comma', json, '{\n  "salary": "1",\n}', 'it stops being JSON at line 3, character 1'],
    ['an array', json, '[]', 'it is not a JSON object'],
    ['a byte of Latin 1', json, Buffer.from('{"salary":"é"}', 'latin1'), 'byte 12 is not UTF-8'],
    ['half a character', json, Buffer.from('{"salary":"€"}').subarray(0, 13), 'byte 12 is not UTF-8'],
    ['a bad byte after U+FFFD', json, Buffer.from([0xef, 0xbf, 0xbd, 0xff]), 'byte 4 is not UTF-8'],
    ['an escape in a form', form, 'name=caf%C3%A9&salary=%E9', 'byte 23 is not UTF-8'],
    ['too many fields', form, '&'.repeat(1_000), 'it has more than 1000 fields'],
  ])('says what is wrong and where: %s (Contract 7.1.5)', async (_what, type, body, hint) => {
    expect(await saidOf(job, { type, body })).toEqual(['body-format-error', `${cannot}: ${hint}.`]);
  });

  // Callers who set Content-Type by hand get this error.
  it.each(['/companies', '/graphql'])(
    'says that the multipart Content-Type lacks a boundary: %s (Contract 7.1.5)',
    async (path) => {
      const response = await fetch(`${gateway.url}${path}`, {
        method: path === '/graphql' ? 'POST' : 'PATCH',
        headers: {
          authorization: `Bearer ${await gateway.token()}`,
          'apollo-require-preflight': 'true',
          'content-type': 'multipart/form-data',
        },
        body: '--x--\r\n',
      });
      const told = `${cannot}: Content-Type has more than 200 characters, or no boundary.`;
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(told)]);
    },
  );

  it('names the field of a multipart body that is not UTF-8 (Contract 7.1.5)', async () => {
    const body = Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="description"\r\n\r\nCafé\r\n--x--\r\n',
      'latin1',
    );
    expect(
      await saidOf('/companies', { method: 'PATCH', type: 'multipart/form-data; boundary=x', body }),
    ).toEqual(['body-format-error', `${cannot}: byte 4 of description is not UTF-8.`]);
  });

  it.each(['\u0007', '\u007f', '\0'])(
    'says, as over GraphQL, that a file name has a control character: %j (Contract 1.2, 4.3.5, 7.1.5)',
    async (character) => {
      const body = `--x\r\nContent-Disposition: form-data; name="logo"; filename="a${character}.png"\r\n\r\nx\r\n--x--\r\n`;
      expect(
        await saidOf('/companies', { method: 'PATCH', type: 'multipart/form-data; boundary=x', body }),
      ).toEqual([
        'body-format-error',
        `${cannot}: a part has a missing or invalid header, for example a file name with a control character.`,
      ]);
    },
  );

  it('is in French on request (Contract 7.8)', async () => {
    const headers = { 'accept-language': 'fr' };
    expect((await send(job, { type: json, body: '{', headers })).said).toBe(
      'Le corps de la requête est illisible: ce n’est pas du JSON à partir de la ligne 1, caractère 2.',
    );
  });
});

describe('the message of sector_id-not-found', () => {
  const messages = async (sectorId: string, language: string) => {
    const response = await fetch(`${gateway.url}/companies`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${await gateway.token()}`,
        'content-type': form,
        'accept-language': language,
      },
      body: new URLSearchParams({
        media_public_id: 'demo-media',
        company_public_id: 'acme',
        sector_id: sectorId,
      }),
    });
    const { errors } = (await response.json()) as { errors: { code: string; message: string }[] };
    return errors;
  };
  const code = 'sector_id-not-found';
  const long = 'n'.repeat(50);

  it.each([
    ['nothing;health;retial', 'en', 'sector_id does not match any record: nothing, retial.'],
    ['health;nothing', 'fr', 'sector_id ne correspond à aucun enregistrement : nothing.'],
    [`health;${long}`, 'en', `sector_id does not match any record: ${long.slice(0, 40)}….`],
    [';', 'en', 'sector_id does not match any record.'],
  ])('lists the unknown ids of %s (Contract 4.1.4.2, 8.6.8)', async (sectorId, language, message) => {
    expect(await messages(sectorId, language)).toEqual([{ field: 'sector_id', code, message }]);
  });
});

describe('content-type-not-supported', () => {
  const anyForm = `multipart/form-data, ${form}, application/json`;
  it.each([
    ...['PATCH', 'POST'].map((method) => [method, '/companies', anyForm, anyForm] as const),
    ['POST', job, `${form}, application/json`, `${form}, application/json`],
    ['PATCH', job, `${form}, application/json`, `${form}, application/json`],
  ])('lists in headers the types that %s %s accepts (Contract 7.1.3)', async (method, path, post, patch) => {
    for (const type of ['text/plain', `${form}; charset=utf-16`]) {
      const { status, headers } = await send(path, { method, type, body: 'x' });
      expect([status, headers.get('accept-post'), headers.get('accept-patch')]).toEqual([415, post, patch]);
    }
  });

  const refused = 'This content type is not supported here: send';
  it.each([
    ['PATCH', '/companies', 'en', `${refused} multipart/form-data, ${form}, or application/json.`],
    ['POST', job, 'en', `${refused} ${form} or application/json.`],
    ['POST', job, 'fr', `Ce type de contenu n’est pas accepté ici: envoyez ${form} ou application/json.`],
    ['POST', '/graphql', 'en', `${refused} application/json or multipart/form-data.`],
  ])(
    'lists in its message the types that %s %s accepts, in %s (Contract 7.1.5)',
    async (method, path, language, message) => {
      const headers = { 'accept-language': language };
      const { said, faults } = await send(path, { method, type: 'text/plain', body: 'x', headers });
      expect(said ?? faults?.[0]).toBe(message);
    },
  );

  it('says that the charset must be UTF-8 (Contract 7.1.3)', async () => {
    expect((await send(job, { type: `${form}; charset=latin1`, body: 'x' })).said).toBe(
      'This content type is not supported here: the charset must be UTF-8.',
    );
  });
});

describe('a list of e-mail addresses', () => {
  const sendEmails = (emails: string, language = 'en') =>
    send(job, { type: form, body: `${fields}&${emails}`, headers: { 'accept-language': language } });
  const stored = async () =>
    (await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }))?.managerEmails;

  it('is emptied in a form by key[]= alone, and the error for a blank key= says so (Contract 4.2.11.1)', async () => {
    expect((await sendEmails('manager_emails=anne.martin%40acme.example')).status).toBe(200);
    const blank = await sendEmails('manager_emails=');
    expect([blank.status, blank.faults]).toEqual([
      422,
      [
        'manager_emails must be e-mail addresses, as a list or separated by ;; to empty the list, send manager_emails[]= in a form, or [] in JSON.',
      ],
    ]);
    expect((await sendEmails('manager_emails=', 'fr')).faults).toEqual([
      'manager_emails doit être des adresses e-mail, en liste ou séparées par ; ; pour vider la liste, envoyez manager_emails[]= dans un formulaire, ou [] en JSON.',
    ]);
    expect(await stored()).toEqual(['anne.martin@acme.example']);
    expect((await sendEmails('manager_emails%5B%5D=')).status).toBe(200);
    expect(await stored()).toEqual([]);
  });
});

describe('the message of logo-must-be-file', () => {
  it.each([
    ['en', 'logo must be a file, sent as multipart/form-data.'],
    ['fr', 'logo doit être un fichier, envoyé en multipart/form-data.'],
  ])('says in %s to send multipart (Contract 4.1.7)', async (language, message) => {
    const body = JSON.stringify({ media_public_id: 'demo-media', company_public_id: 'acme', logo: 'AAAA' });
    const headers = { 'accept-language': language };
    const { faults } = await send('/companies', { method: 'PATCH', type: json, body, headers });
    expect(faults).toEqual([message]);
  });

  it.each([
    ['{}, sent by Apollo Client’s HttpLink', {}],
    ['a text', 'AAAA'],
  ])('names the specification of uploads over GraphQL: %s (Contract 4.1.7.8)', async (_what, logo) => {
    const query =
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company { name } } }';
    const input = { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo };
    const { faults } = await send('/graphql', {
      type: json,
      body: JSON.stringify({ query, variables: { input } }),
    });
    expect(faults).toEqual([
      `Variable "$input" got an invalid value at "input.logo"; send the file as multipart/form-data (GraphQL multipart request specification), since JSON cannot hold a file`,
    ]);
  });
});

describe('a company named in the query string', () => {
  it.each(['company-public-id', 'company_public_id'])('is found by %s (Contract 4.1.5.2)', async (name) => {
    const body = 'media_public_id=demo-media&size_id=small';
    const { error, faults } = await send(`/companies?${name}=nobody`, { method: 'PATCH', type: form, body });
    expect([error, faults]).toEqual(['company-not-found', undefined]);
    const update = { method: 'PATCH', type: form, body: 'media_public_id=demo-media' };
    expect((await send(`/companies?${name}=acme`, update)).status).toBe(201);
  });

  it.each(['company-public-id', 'company_public_id'])(
    'is a fault if %s names a company again, even the same one (Contract 4.1.5.2)',
    async (name) => {
      for (const other of ['acme', 'nobody']) {
        const { faults } = await send(`/companies?company-public-id=acme&${name}=${other}`, {
          method: 'PATCH',
          type: form,
          body: 'media_public_id=demo-media',
        });
        expect(faults).toEqual(['company_public_id must be a string.']);
      }
    },
  );
});

describe('a path with extra slashes', () => {
  const nothing = 'There is nothing at this path';

  it.each([
    ['/companies/', '/companies'],
    ['//companies', '/companies'],
    ['/companies//?company-public-id=acme', '/companies'],
    ['//jobs//acme-backend-engineer/', '/jobs/{job_public_id}'],
    ['//', '/'],
    ['/graphql/', '/graphql'],
    ['/openapi.json/', '/openapi.json'],
  ])('%s gets not-found, and the message suggests %s (Contract 7.1.6)', async (path, nearest) => {
    expect(await saidOf(path, {})).toEqual(['not-found', `${nothing}: the nearest is ${nearest}.`]);
  });

  it.each(['/company/', '///nothing', '/jobs/a/b/', '/openapi-json/', '/jobs//a//b'])(
    '%s gets not-found without a suggestion (Contract 7.1.6)',
    async (path) => {
      expect(await saidOf(path, {})).toEqual(['not-found', `${nothing}.`]);
    },
  );
});

describe('the header Prefer', () => {
  const update = (prefer: string) =>
    send(job, { type: form, headers: { prefer }, body: `${fields}&salary=${encodeURIComponent(prefer)}` });
  const salary = async () =>
    (await gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean())?.salary;

  it.each([
    ...['validate_only', 'Validate_Only', 'validateonly', 'validate-onyl', 'validat-onl', 'validate--only'],
    ...['wait=5, validate_only', 'validate-only=true', '"validate-only"', 'validate-only1; x=1'],
    ...['handling=strict; validate-only', 'return=minimal validate-only', 'x="a,validate-only,\\"b"'],
    ...['validate only', 'validate, only', 'vali-date-only', 'x-validate-only', 'wait=5; Validate_Onyl'],
  ])(
    'with a misspelt or misplaced %s gets body-format-error and writes nothing (Contract 9.4.1)',
    async (prefer) => {
      const before = await salary();
      const { status, error, said } = await update(prefer);
      expect([status, error]).toEqual([400, 'body-format-error']);
      expect(said).toContain(': Prefer must be validate-only, not ');
      expect(await salary()).toBe(before);
    },
  );

  it.each([
    'validate-only',
    'VALIDATE-ONLY; strict',
    'wait=5,validate-only',
    'foo="a, b",validate-only',
    'foo="a, validate-only, b',
    'validate_only, validate-only',
  ])('with %s makes the update a dry run (Contract 9.4)', async (prefer) => {
    const before = await salary();
    const { status, headers } = await update(prefer);
    expect([status, headers.get('preference-applied')]).toEqual([200, 'validate-only']);
    expect(await salary()).toBe(before);
  });

  it.each(['return=minimal', 'validate', 'only', 'valid-only', 'only, validate', 'handling=strict; wait=5'])(
    'with the unknown preference %s is ignored (Contract 9.4.1)',
    async (prefer) => {
      const { status, headers } = await update(prefer);
      expect([status, headers.has('preference-applied')]).toEqual([200, false]);
      expect(await salary()).toBe(prefer);
    },
  );
});

describe('a field of the body in the query string of an update', () => {
  const warningsOf = async (path: string, query: string) => {
    const { warnings } = await send(`${path}?${query}`, { type: form, method: 'PATCH', body: fields });
    return warnings;
  };
  const ignored = (field: string) => ({ field, code: 'unknown-field' });

  it('gives the warning unknown-field, in every spelling, and other parameters give none (Contract 4.3.4)', async () => {
    const query =
      'salary=1&media-public-id=a&manager_emails[]=a&manager_emails[1]=b&utm_source=x&job_public_id=y';
    expect(await warningsOf(job, query)).toMatchObject(
      ['salary', 'media-public-id', 'manager_emails[]', 'manager_emails[1]', 'job_public_id'].map(ignored),
    );
  });

  it('gives no warning if it names the company of a company update (Contract 4.1.5.2, 4.3.4)', async () => {
    for (const name of ['company-public-id', 'company_public_id'])
      expect(await warningsOf('/companies', `${name}=acme&description=x`)).toMatchObject([
        ignored('description'),
      ]);
    expect(await warningsOf(job, 'company-public-id=acme')).toMatchObject([ignored('company-public-id')]);
  });
});
