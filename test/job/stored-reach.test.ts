import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo } from 'mongoose';
import { beginMoves, completeMoves } from '../../src/change/moves.js';
import { completeImportTask } from '../../src/archiver/upkeep.tasks.js';
import { collectionOf } from '../../src/database/collection-of.js';
import { noReach } from '../../src/job/job.record.js';
import { copyReach, narrowReach, readReach } from '../../src/job/stored-reach.js';
import { randomFor } from '../reliability/support/random.js';
import { markAsMoving } from '../support/lease.js';
import { importInto } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { copyAllReach } from '../support/reset-records.js';
import { taskRun } from '../support/task-run.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
beforeEach(() => gateway.reset());

const media = ['demo-media', 'other-media'];
const brands = ['acme-group', 'other-group'];
const companies = ['acme', 'globex'];
const addOtherMedia = () =>
  importInto(gateway, {
    kind: 'media',
    public_id: 'other-media',
    name: 'Other',
    job_url_template: 'https://o.example/{job}',
  });

const collections = () => ({
  jobs: collectionOf(gateway.models.jobs),
  companies: collectionOf(gateway.models.companies),
});

/** The stored copy of the company's reach in each job, and the company's own. */
async function copies() {
  const jobs = await gateway.models.jobs.find().sort({ publicId: 1 }).lean();
  const reachNow = await readReach(collections(), jobs);
  const told = (of: { brand?: string | null; isCompanyInMedia?: boolean }, publicId: string) =>
    `${publicId} ${of.brand} ${of.isCompanyInMedia}`;
  return {
    stored: jobs.map((job) => told(job, job.publicId)),
    true: jobs.map((job) => told(reachNow(job).reach, job.publicId)),
  };
}

async function listed(claims: object, of = 'demo-media'): Promise<string[]> {
  const token = await gateway.token(claims);
  const query = `{ jobs(mediaPublicId: "${of}", first: 100) { totalCount edges { node { publicId } } } }`;
  const { body } = await graphql(gateway, query, {}, { token });
  const { edges = [], totalCount = 0 } = (body.data?.jobs ?? {}) as {
    edges?: { node: { publicId: string } }[];
    totalCount?: number;
  };
  expect(totalCount).toBe(edges.length);
  return edges.map(({ node }) => node.publicId);
}
const ofBrand = { roles: ['brand_admin'], brand: 'acme-group' };

describe('what a job stores of its company (Contract 3.3.5)', () => {
  it('is what the company says, after any imports at the same time', async () => {
    await addOtherMedia();
    const random = randomFor('stored reach');
    const someMedia = () => media.filter(() => random.between(0, 3) > 0);
    const lines = () => [
      {
        kind: 'company',
        public_id: random.pick(companies),
        brand: random.pick(brands),
        memberships: someMedia().map((each) => ({ media_public_id: each, is_published: true })),
      },
      {
        kind: 'job',
        public_id: random.pick(['acme-office-manager', 'globex-accountant', 'new-job']),
        media_public_id: random.pick(media),
        company_public_id: random.pick(companies),
        name: 'Anything',
      },
    ];
    for (let round = 0; round < 12; round += 1) {
      await Promise.all([importInto(gateway, ...lines()), importInto(gateway, ...lines())]);
      const { stored, true: told } = await copies();
      expect(stored).toEqual(told);
    }
  });

  it('is what the company says, also of a company in no media that changes its brand', async () => {
    await importInto(gateway, { kind: 'company', public_id: 'acme', memberships: [] });
    await importInto(gateway, { kind: 'company', public_id: 'acme', brand: 'other-group' });
    const { stored, true: told } = await copies();
    expect(stored).toEqual(told);
    expect(stored).toContain('acme-office-manager other-group false');
  });

  it('is taken away before the company changes, and what a killed import has taken away, the next import gives back', async () => {
    const before = await listed(ofBrand);
    expect(before).toContain('acme-office-manager');
    const acme = await gateway.models.companies.findOne({ publicId: 'acme' }).orFail().lean();
    const change = {
      ...{ company: acme, isBrandChanged: true, left: [], syncMedia: ['demo-media'] },
      reachVersion: acme.version + 1,
    };
    await beginMoves(gateway.models, [change]);
    expect((await listed(ofBrand)).filter((id) => id.startsWith('acme'))).toEqual([]);
    // Another import that had taken the company up changes nothing, either.
    await copyReach(collections(), await gateway.models.jobs.find({ company: 'acme' }).lean());
    expect((await listed(ofBrand)).filter((id) => id.startsWith('acme'))).toEqual([]);
    expect(await listed({})).toContain('acme-office-manager');
    await importInto(gateway, { kind: 'company', public_id: 'globex', brand: 'acme-group' });
    expect(await listed(ofBrand)).toEqual(expect.arrayContaining(before));
    // If the import was only paused, what it writes late changes nothing.
    await expect(beginMoves(gateway.models, [change])).rejects.toThrow('another command has taken over');
    await narrowReach(collections().jobs, [change], media);
    expect(await gateway.models.companies.exists({ isSyncDue: true })).toBeNull();
    expect(await listed(ofBrand)).toEqual(expect.arrayContaining(before));
  });

  it('comes back by the hourly task in media that the company did not leave, if the import was killed after its write', async () => {
    await addOtherMedia();
    const { models } = gateway;
    const before = await listed(ofBrand);
    const company = await models.companies.findOne({ publicId: 'acme' }).orFail().lean();
    const change = {
      ...{ company, isBrandChanged: true, left: ['other-media'], syncMedia: ['other-media'] },
      reachVersion: company.version + 1,
    };
    await beginMoves(models, [change]);
    await models.companies.updateOne({ publicId: 'acme' }, { version: company.version + 1 });
    expect(await listed(ofBrand)).not.toEqual(before);
    await completeImportTask(models).run(taskRun);
    expect(await listed(ofBrand)).toEqual(before);
  });

  it('and the mark of a company that a caller updates while it moves is taken away all the same', async () => {
    const { companies } = gateway.models;
    await markAsMoving(gateway.models, 'acme', ['demo-media']);
    const { prototype } = mongo.Collection as unknown as { prototype: mongo.Collection };
    const updateOne = Reflect.get<typeof prototype, 'updateOne'>(prototype, 'updateOne');
    let updates = 0;
    jest.spyOn(prototype, 'updateOne').mockImplementation(async function (this: mongo.Collection, ...args) {
      if (this.collectionName === 'companies' && updates++ === 0)
        await updateOne.call(this, { publicId: 'acme' }, { $inc: { version: 1 } });
      return updateOne.apply(this, args);
    });
    await completeMoves(gateway.models);
    jest.restoreAllMocks();
    expect(updates).toBe(2);
    expect(await companies.exists({ isSyncDue: true })).toBeNull();
  });

  it('is not replaced by what an older version of the company says', async () => {
    const { models } = gateway;
    const job = await models.jobs.findOne({ publicId: 'acme-office-manager' }).orFail().lean();
    await models.jobs.updateOne({ publicId: job.publicId }, { ...noReach, companyVersion: 9 });
    await importInto(gateway, { kind: 'job', public_id: job.publicId, salary: '1' });
    await copyAllReach(models);
    expect(await models.jobs.findOne({ publicId: job.publicId }).lean()).toMatchObject({
      ...noReach,
      companyVersion: 9,
    });
  });
});
