import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { describe, expect, it } from '@jest/globals';
import { typePolicies } from '../../schema/client/src/apollo.js';
import {
  CompanyFormDocument,
  JobFormDocument,
  NewJobFormDocument,
  readRefusal,
  type ReferenceKind,
  ReferencesDocument,
} from '../../schema/client/src/index.js';
import { limits, referencesOf } from '../../schema/client/src/forms.js';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
const publicId = 'acme-backend-engineer';

async function open(scope?: string): Promise<ApolloClient> {
  const headers = { authorization: `Bearer ${await gateway.token(scope === undefined ? {} : { scope })}` };
  const link = new HttpLink({ uri: `${gateway.url}/graphql`, headers });
  return new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
}

describe('JobFormDocument', () => {
  it('reads the job, its e-mail lists and the choices for a caller who may update it (Contract 3.2.4)', async () => {
    const { data } = await (await open()).query({ query: JobFormDocument, variables: { publicId } });
    expect(data?.job).toMatchObject({
      managerEmails: ['claire.martin@acme.example'],
      recruiterEmails: ['jobs@acme.example'],
      viewerCanUpdate: true,
    });
    expect(data?.contracts?.map((contract) => contract.publicId)).toContain(data?.job?.contract?.publicId);
  });

  it('without e-mail lists, answers a reader whose token lacks r_w_jobs (Contract 3.2.4)', async () => {
    const client = await open('r_jobs');
    const variables = { publicId, withEmails: false };
    const { data } = await client.query({ query: JobFormDocument, variables });
    expect(data?.job).toMatchObject({ name: 'Backend Engineer', viewerCanUpdate: false });
    expect(data?.job).not.toHaveProperty('managerEmails');
    expect(data?.worktimes).not.toEqual([]);
  });

  it('with e-mail lists, names the scope that a reader lacks (Contract 3.2.4)', async () => {
    const client = await open('r_jobs');
    const asked = client.query({ query: JobFormDocument, variables: { publicId } });
    const refusal = readRefusal(await asked.catch((failure: unknown) => failure));
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', scope: 'r_w_jobs' });
  });
});

describe('NewJobFormDocument', () => {
  const variables = { mediaPublicId: 'demo-media' };

  it('reads the companies that take jobs, and the choices of every reference', async () => {
    const client = await open();
    const { data } = await client.query({ query: NewJobFormDocument, variables });
    const companies = data?.companies?.edges.map(({ node }) => node.publicId);
    expect([companies?.includes('acme'), companies?.includes('globex')]).toEqual([true, false]);
    const referring = Object.entries(limits.CreateJobInput).filter(([, limit]) => 'references' in limit);
    for (const [name, { references: kind }] of referring as [string, { references: ReferenceKind }][]) {
      const { data: listed } = await client.query({ query: ReferencesDocument, variables: { kind } });
      expect(referencesOf(name, data!).map(({ id }) => id)).toEqual(listed?.references?.map(({ id }) => id));
    }
  });

  it('without companies, answers a caller whose token has r_w_jobs alone', async () => {
    const client = await open('r_w_jobs');
    const { data } = await client.query({
      query: NewJobFormDocument,
      variables: { ...variables, withCompanies: false },
    });
    expect(data?.contracts).not.toEqual([]);
  });
});

describe('CompanyFormDocument', () => {
  it.each(['r_w_companies', 'r_companies'])(
    'reads the company and the choices of its size and sectors in one operation (%s)',
    async (scope) => {
      const client = await open(scope);
      const variables = { mediaPublicId: 'demo-media', publicId: 'acme' };
      const { data } = await client.query({ query: CompanyFormDocument, variables });
      expect(data?.company).toMatchObject({ name: 'Acme', viewerCanUpdate: scope === 'r_w_companies' });
      const choicesOf = async (kind: 'sector' | 'size') => {
        const answer = await client.query({ query: ReferencesDocument, variables: { kind } });
        return answer.data?.references?.map((reference) => reference.id);
      };
      expect(data?.sectors?.map(({ id }) => id)).toEqual(await choicesOf('sector'));
      expect(data?.sizes?.map(({ id }) => id)).toEqual(await choicesOf('size'));
    },
  );
});
