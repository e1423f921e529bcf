import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { companyEnvelope, jobEnvelope, referenceEnvelope } from '../../src/rest/envelope.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { usualClaims } from '../support/tokens.js';

const gateway = ownGateway({ AUTH_FAILURE_QUOTA: '1000000/1s' });

interface Read {
  path: string;
  query: string;
  variables: Record<string, string>;
  /** The documented body of what the query answers. */
  shown: (answer: never) => object;
}

const job = (publicId: string): Read => ({
  path: `/jobs/${publicId}`,
  query: 'job',
  variables: { publicId },
  shown: (answer: object) => ({ data: jobEnvelope(answer) }),
});
const company = (mediaPublicId: string, publicId: string): Read => ({
  path: `/companies?media-public-id=${mediaPublicId}&company-public-id=${publicId}`,
  query: 'company',
  variables: { mediaPublicId, publicId },
  shown: (answer: object) => ({ status: 200, company: companyEnvelope(answer) }),
});
const references = (kind: string): Read => ({
  path: `/references/${kind}`,
  query: 'references',
  variables: { kind },
  shown: (answer: object[]) => ({ data: answer.map(referenceEnvelope) }),
});

const reads = [
  job('acme-backend-engineer'),
  job('acme-night-guard'),
  job('globex-accountant'),
  job('nobody'),
  company('demo-media', 'acme'),
  company('demo-media', 'globex'),
  company('demo-media', 'initech'),
  company('demo-media', 'nobody'),
  company('other-media', 'initech'),
  company('nowhere', 'acme'),
  references('sector'),
  references('job_category'),
];
const callers = {
  media_admin: usualClaims,
  'media_admin who reads': { scope: 'r_jobs r_companies' },
  media_partner: { roles: ['media_partner'] },
  brand_admin: { roles: ['brand_admin'], brand: 'acme-group' },
  'nobody in particular': { roles: [] },
  'holder of another scope': { scope: 'profile' },
};

describe.each(Object.entries(callers))('what a %s reads', (_name, claims) => {
  it.each(reads.map((read): [string, Read] => [read.path, read]))(
    'by GET %s is what it reads by GraphQL, refusals included (Contract 4.5.5)',
    async (path, { query, variables, shown }) => {
      const token = await gateway.token(claims);
      const file = new URL(`../../schema/operations/${query}.graphql`, import.meta.url);
      for (const language of ['en', 'fr']) {
        const options = { token, headers: { 'accept-language': language } };
        const { body: answered } = await graphql(gateway, readFileSync(file, 'utf8'), variables, options);
        const { status, body } = await rest(gateway, 'GET', path, undefined, options);
        const [error] = answered.errors ?? [];
        if (error) {
          const { error: code, status: expected } = error.extensions;
          expect(body).toEqual({ status: expected, error: code, errorMessage: error.message });
        } else expect([status, body]).toEqual([200, shown(answered.data?.[query] as never)]);
      }
    },
  );
});
