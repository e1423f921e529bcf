import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { type TokenClaims } from '../../src/tokens/token-signer.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, graphql, rest } from '../support/requests.js';
import { updateCompany } from '../support/updates.js';
import { withEnd } from '../support/reset-records.js';

const gateway = ownGateway({ ARCHIVER: 'off', UPDATE_JOB_QUOTA: '1000/1s', READ_QUOTA: '1000/1s' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

const jobPublicId = 'acme-backend-engineer';

const ask = <Data>(document: string, by = token, variables = {}) =>
  dataOf<Data>(gateway, document, variables, { token: by });

const as = (claims: Partial<TokenClaims>) => gateway.token(claims);
const update = (form: Record<string, string>, publicId = jobPublicId) =>
  rest(gateway, 'POST', `/jobs/${publicId}`, { form }, { token });
const describeCompany = () => updateCompany(gateway, { description: 'New.' }, { token });

describe('a job over GraphQL', () => {
  it('shows its media, its place as sent, and when it last changed (Contract 2.2.6, 2.2.7)', async () => {
    const query = `{ job(publicId: "${jobPublicId}") { mediaPublicId localisation updatedAt
      history(first: 1) { edges { node { at } } } } }`;
    interface Shown {
      job: { updatedAt: string; history: { edges: { node: { at: string } }[] } };
    }
    const created = (await gateway.models.jobs.findOne({ publicId: jobPublicId }).orFail()).updatedAt;
    expect((await ask<Shown>(query)).job).toMatchObject({
      mediaPublicId: 'demo-media',
      updatedAt: created.toISOString(),
    });
    await update({ localisation: 'Grenoble, France' });
    const { job } = await ask<Shown>(query);
    expect(job).toMatchObject({ localisation: 'Grenoble, France' });
    expect(job.updatedAt).toBe(job.history.edges[0]?.node.at);
  });

  it('does not change when the values shown are sent back, even if its location has an address (Contract 5.1.10)', async () => {
    const query = `{ job(publicId: "${jobPublicId}") { salary localisation location { address zipCode } version } }`;
    interface Shown {
      job: { salary: string; localisation: string | null; version: number };
    }
    for (const stored of ['Lyon', null]) {
      await gateway.models.jobs.collection.updateOne(
        { publicId: jobPublicId },
        { $set: { localisation: stored } },
      );
      const shown = await ask<Shown>(query);
      expect(shown.job).toMatchObject({ location: { address: 'Rue de la République', zipCode: '69002' } });
      const { salary, localisation } = shown.job;
      await ask(
        'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { version } } }',
        token,
        {
          input: { jobPublicId, salary, localisation },
        },
      );
      expect(await ask<Shown>(query)).toEqual(shown);
    }
  });

  it('that is past its end takes updatedAt from its last history entry (Contract 2.2.7)', async () => {
    const publishedAt = new Date(Date.now() - 91 * 86_400_000);
    const set = { $set: withEnd({ publishedAt }) };
    await gateway.models.jobs.collection.updateOne({ publicId: jobPublicId }, set);
    await update({ state: 'published', salary: '7 €' });
    const { job } = await ask<{ job: { updatedAt: string; history: { edges: { node: { at: string } }[] } } }>(
      `{ job(publicId: "${jobPublicId}") { updatedAt history(first: 1) { edges { node { at } } } } }`,
    );
    expect(job.updatedAt).toBe(job.history.edges[0]?.node.at);
  });
});

describe('the employer of a job (Contract 3.2.3)', () => {
  const query = `{ job(publicId: "${jobPublicId}") { company { publicId } employer { publicId domainUrl brandless: name } } }`;

  it('is refused to a token without a company scope, unlike `Job.company`', async () => {
    const { body } = await graphql(gateway, query, {}, { token: await as({ scope: 'r_jobs' }) });
    expect(body.errors).toMatchObject([
      { path: ['job', 'employer'], extensions: { error: 'unauthorized-limitation', status: 401 } },
    ]);
    expect(body.data).toEqual({ job: { company: { publicId: 'acme' }, employer: null } });
  });

  it('is null if the caller reaches the job but not the company', async () => {
    const partner = await as({ roles: ['media_partner'], sub: 'partner-a' });
    await gateway.models.companies.collection.updateOne(
      { publicId: 'acme' },
      { $set: { createdBy: 'somebody-else' } },
    );
    expect(await ask(query, partner)).toMatchObject({ job: { employer: null } });
    const { jobs } = await ask<{ jobs: { edges: object[] } }>(
      '{ jobs(mediaPublicId: "demo-media") { edges { node { publicId employer { publicId } } } } }',
      partner,
    );
    expect(jobs.edges).toEqual([{ node: { publicId: jobPublicId, employer: null } }]);
  });
});

describe('a company over GraphQL (Contract 2.1.3)', () => {
  const query = `{ company(mediaPublicId: "demo-media", publicId: "acme") {
    size sectors sizeReference { id names { en fr } } sectorReferences { id name } mediaPublicIds updatedAt } }`;
  interface Shown {
    company: {
      size: string;
      sectors: string[];
      sizeReference: { id: string };
      sectorReferences: { id: string }[];
      mediaPublicIds: string[];
      updatedAt: string;
    };
  }

  it('leaves out a size or sector that no longer exists', async () => {
    const missing = new Types.ObjectId();
    const sectors = [
      missing,
      ...(await gateway.models.references.find({ kind: 'sector' }).lean()).map(({ _id }) => _id),
    ];
    await gateway.models.companies.collection.updateOne(
      { publicId: 'acme' },
      { $set: { size: missing, sectors } },
    );
    const { company } = await ask<Shown>(query);
    expect(company).toMatchObject({ size: missing.toHexString(), sizeReference: null });
    expect(company.sectorReferences.map(({ id }) => id)).toEqual(
      sectors.slice(1).map((id) => id.toHexString()),
    );
  });

  it('shows only the media within the caller’s reach', async () => {
    await gateway.models.companies.collection.updateOne({ publicId: 'acme' }, {
      $push: { memberships: { media: 'other-media', isPublished: true, isVmePagePublished: true } },
    } as never);
    const media = async (claims: Partial<TokenClaims>) =>
      (await ask<Shown>(query, await as(claims))).company.mediaPublicIds;
    expect(await media({})).toEqual(['demo-media']);
    expect(await media({ media: ['demo-media', 'other-media'] })).toEqual(['demo-media', 'other-media']);
    expect(await media({ roles: ['brand_admin'], brand: 'acme-group', media: undefined })).toEqual([
      'demo-media',
      'other-media',
    ]);
  });

  it('shows when it last changed (Contract 2.2.7)', async () => {
    const before = (await ask<Shown>(query)).company.updatedAt;
    expect(new Date(before)).toEqual(
      (await gateway.models.companies.findOne({ publicId: 'acme' }))?.updatedAt,
    );
    await describeCompany();
    expect(Date.parse((await ask<Shown>(query)).company.updatedAt)).toBeGreaterThan(Date.parse(before));
  });
});

interface Listed {
  list: {
    totalCount?: number | null;
    edges: { node: { publicId: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}
const list = async (field: string, args: string, by = token) =>
  (
    await ask<Listed>(
      `{ list: ${field}(mediaPublicId: "demo-media" ${args}) { totalCount edges { node { publicId } }
         pageInfo { hasNextPage endCursor } } }`,
      by,
    )
  ).list;

describe('the total count of a list (Contract 4.3.2)', () => {
  it('counts history entries in the record and in the collection', async () => {
    for (let index = 0; index < 40; index += 1) await update({ salary: `${index} €` });
    const { job } = await ask<{ job: { history: object } }>(
      `{ job(publicId: "${jobPublicId}") { history(first: 1) { totalCount } } }`,
    );
    expect(job.history).toEqual({ totalCount: 40 });
  });

  it('is 10 001 above 10 000', async () => {
    const { collection } = gateway.models.jobs;
    // Only what an index of the list reads: the page shows the first job, which is whole.
    const add = (from: number, to: number) =>
      collection.insertMany(
        Array.from({ length: to - from }, (_, index) => ({
          ...{
            publicId: `count-${from + index}`,
            media: 'demo-media',
            isCompanyInMedia: true,
            state: 'draft',
          },
        })),
      );
    await add(0, 9_995);
    expect((await list('jobs', 'first: 1')).totalCount).toBe(10_000);
    await add(9_995, 9_997);
    expect((await list('jobs', 'first: 1')).totalCount).toBe(10_001);
  });
});
