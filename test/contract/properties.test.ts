import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { domainKey } from '../../src/company/company-identity.rules.js';
import { nameKey } from '../../src/text/name-key.rules.js';
import { companyFields } from '../../src/company/company-fields.rules.js';
import { cleanHtml } from '../../src/text/html.rules.js';
import { type FieldTable } from '../../src/fields/fields.rules.js';
import { codePointLength } from '../../src/fields/field-reader.rules.js';
import { jobFields } from '../../src/job/job-fields.rules.js';
import { snakeCase } from '../../src/errors/snake-case.js';
import { type Answer, type Api, send, type UpdateRequest } from '../support/apis.js';
import { ownGateway } from '../support/own-gateway.js';
import { fieldsOfKind, maximumOf } from './parity/table-fields.js';

/** Multiplies every `numRuns`: by 1/40 by default, and by 5 in `FUZZ_REQUESTS=20000 npm run test:long`. */
const share = Number(process.env.FUZZ_REQUESTS ?? 100) / 4_000;
// A fixed seed makes failures reproducible.
const runs = (numRuns: number) => ({ seed: 20_240_229, numRuns: Math.ceil(numRuns * share) });

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const hostile = [
  ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<a href="javascript:alert(1)">x</a>'],
  ...[
    '<svg/onload=alert(1)>',
    '<p onclick="x()">',
    '<a href="jav&#x09;ascript:x">',
    '<!--',
    '-->',
    '<![CDATA[',
  ],
  ...['</p>', '<ul><li>', '<b', '<', '>', '&lt;script&gt;', '&#60;', '"', "'", '`', '&', '\\', '%00'],
  ...['\u0000'],
  ...['javascript:alert(1)', 'https://a.example/', '//evil.example', 'a@b.example', ';', ',', '{{7*7}}'],
  ...['${x}'],
  ...['{"$gt":""}', '$where', '__proto__', '../../etc/passwd', "' OR 1=1 --", '\ud800', '\udc00', '\ufeff'],
  ...['\u202e', '\u200b', '😀', 'é', 'e\u0301', '東京', '\r\n', '\t', '\u2028', ' ', 'Lyon', 'Paris, France'],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...hostile), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.integer({ min: 0, max: 400 }).map((length) => '<p>😀'.repeat(length)),
);
const api = fc.constantFrom<Api>('form', 'json', 'graphql');

/** All fields except enums, which GraphQL checks. */
const mostOf = (field: FieldTable[string] | undefined) => (field && maximumOf(field.type)) ?? 0;

const textsOf = (table: FieldTable): string[] =>
  Object.entries(table).flatMap(([name, { type }]) => (type.choices ? [] : [snakeCase(name)]));
const jobTexts = textsOf(jobFields);
const companyTexts = textsOf(companyFields);

const requestOf = (
  operation: UpdateRequest['operation'],
  fields: Record<string, unknown>,
): UpdateRequest => ({
  operation,
  fields: { media_public_id: 'demo-media', company_public_id: 'acme', ...fields },
  job: 'acme-backend-engineer',
  token,
});

const jobOf = () => gateway.models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
const companyOf = () => gateway.models.companies.findOne({ publicId: 'acme' }).lean();

const dangerous =
  /<\s*(?:script|svg|img|iframe|style|object)|<[^>]*\son\w+\s*=|<[^>]*(?:javascript|data|vbscript):/i;

function expectDecided({ status, code }: Answer): void {
  expect(status).toBeLessThan(500);
  expect(code).not.toBe('internal-error');
}

/** A job update may send both, one or neither (Contract 5.4.2). */
const identifiers = { media_public_id: fc.constant('demo-media'), company_public_id: fc.constant('acme') };

describe('any text in any free-text field of a job', () => {
  it('is accepted or refused as a whole, and stores nothing executable (Contract 1.2, 5.6.1, 6.1.4, 7.2.1)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...jobTexts), text, { minKeys: 1 }),
        fc.record(identifiers, { requiredKeys: [] }),
        api,
        async (fields, named, by) => {
          const before = await jobOf();
          const answer = await send(gateway, by, {
            ...requestOf('updateJob', fields),
            fields: { ...named, ...fields },
          });
          const after = await jobOf();
          expectDecided(answer);
          const isChanged = after?.version !== before?.version;
          if (answer.code !== null) expect(after).toEqual(before);
          if (isChanged) expect(after?.version).toBe((before?.version ?? 0) + 1);
          for (const html of Object.values<string | null>({ ...after?.description })) {
            expect(html ?? '').not.toMatch(dangerous);
            expect(codePointLength(html ?? '')).toBeLessThanOrEqual(mostOf(jobFields.descriptionJob));
            if (html !== null)
              expect(cleanHtml(html, { wrapPlainText: true, maximum: 20_000 })).toEqual({
                html,
                isChanged: false,
              });
          }
          expect(after?.name).toBe(before?.name);
          expect(codePointLength(after?.salary ?? '')).toBeLessThanOrEqual(mostOf(jobFields.salary));
          expect(after?.managerEmails.length).toBeLessThanOrEqual(mostOf(jobFields.managerEmails));
        },
      ),
      runs(250),
    );
  });

  it('changes nothing when sent again (Contract 5.1.11)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...jobTexts), text, api, async (field, given, by) => {
        const request = requestOf('updateJob', { [field]: given });
        const first = await send(gateway, by, request);
        const once = await jobOf();
        const second = await send(gateway, by, request);
        expect({ ...second, warnings: [] }).toEqual({ ...first, warnings: [] });
        expect(await jobOf()).toEqual(once);
      }),
      runs(150),
    );
  });

  it('changes nothing when read from a reply and sent back (Contract 5.6.1)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fieldsOfKind(jobFields, 'html')),
        text,
        api,
        async ({ field, path }, given, by) => {
          const { code, shown } = await send(gateway, by, requestOf('updateJob', { [field]: given }));
          if (code !== null) return;
          const stored = await jobOf();
          const { description } = shown as { description: Record<string, string> };
          const text = description[snakeCase(path.replace('description.', ''))];
          expect(text).toEqual(expect.any(String));
          const again = await send(gateway, by, requestOf('updateJob', { [field]: text }));
          expect([again.code, again.warnings]).toEqual([null, []]);
          expect(await jobOf()).toEqual(stored);
        },
      ),
      runs(100),
    );
  });
});

describe('any text in any free-text field of a company', () => {
  it('is accepted or refused as a whole, and stores nothing executable (Contract 1.2, 5.2.2, 6.1.4, 7.2.1)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...companyTexts), text, { minKeys: 1 }),
        fc.constantFrom<Api>('form', 'json', 'multipart', 'graphql'),
        async (fields, by) => {
          const before = await companyOf();
          const answer = await send(gateway, by, requestOf('updateCompany', fields));
          const after = await companyOf();
          expectDecided(answer);
          if (answer.code !== null) expect(after).toEqual(before);
          const { name = '', nameKey: key = '', domainUrl, domainKey: host, description } = after ?? {};
          expect(key).toBe(nameKey(name));
          expect(key).not.toBe('');
          expect(host).toBe(domainKey(domainUrl ?? ''));
          expect(codePointLength(description ?? '')).toBeLessThanOrEqual(mostOf(companyFields.description));
          if (description?.includes('</')) expect(description).not.toMatch(dangerous);
          if (after?.logo?.kind === 'url') expect(after.logo.url).toMatch(/^https?:/i);
        },
      ),
      runs(250),
    );
  });

  it('creates no company and causes no 5xx when sent as name and domain (Contract 5.2.3, 7.2.1)', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, api, async (name, domain_url, by) => {
        const { models } = gateway;
        const before = await models.companies.countDocuments();
        const fields = { media_public_id: 'demo-media', name, domain_url };
        expectDecided(await send(gateway, by, { operation: 'updateCompany', fields, token }));
        expect(await models.companies.countDocuments()).toBe(before);
      }),
      runs(100),
    );
  });
});

describe('any bytes as a body', () => {
  it('get an answer, and never a 5xx (Contract 5.1.2, 7.2.1)', async () => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(...types),
        fc.constantFrom('/companies', '/jobs/acme-backend-engineer'),
        async (bytes, type, path) => {
          const response = await fetch(gateway.url + path, {
            method: 'PATCH',
            headers: { authorization: `Bearer ${token}`, 'content-type': type },
            body: Buffer.from(bytes),
          });
          const { status = 200 } = (await response.json()) as { status?: number };
          // Without a known field, a job update changes nothing.
          expect([400, 415, 422, ...(path === '/companies' ? [] : [200])]).toContain(response.status);
          expect(status).toBe(response.status);
        },
      ),
      runs(200),
    );
  });
});

describe('any name or domain', () => {
  it('has the same name key in any case, Unicode form and spacing (Contract 5.2.4)', () => {
    fc.assert(
      fc.property(text, (name) => {
        const key = nameKey(name);
        expect(nameKey(key)).toBe(key);
        expect(nameKey(`  ${name}\t`)).toBe(key);
        expect(nameKey(name.toUpperCase())).toBe(key);
        expect(nameKey(name.normalize('NFD'))).toBe(nameKey(name.normalize('NFC')));
        expect(nameKey(name.replaceAll(' ', '  '))).toBe(key);
      }),
      runs(1_000),
    );
  });

  const hosts = fc
    .array(
      fc.constantFrom('www.', 'WWW.', 'a.', 'Ex-ample.', 'bücher.', 'fr', '.', 'https://', ':80', '/x'),
      {
        maxLength: 6,
      },
    )
    .map((pieces) => pieces.join(''));

  it('has no domain key, or a bare host that is its own domain key (Contract 5.2.4)', () => {
    fc.assert(
      fc.property(
        fc.oneof(text, hosts, fc.webUrl({ withFragments: true, withQueryParameters: true })),
        (url) => {
          const key = domainKey(url);
          if (key === null) return;
          expect(domainKey(key)).toBe(key);
          expect(key).toMatch(/^[a-z\d.-]+$/);
          expect(domainKey(`https://www.${key}/any/path?q#f`)).toBe(key);
          expect(domainKey(key.toUpperCase())).toBe(key);
        },
      ),
      runs(1_000),
    );
  });
});
