import { beforeEach, describe, expect, it } from '@jest/globals';
import { completeReachTask } from '../../src/archiver/upkeep.tasks.js';
import { settleDepartures } from '../../src/change/settle-departures.js';
import { collectionOf } from '../../src/database/collection-of.js';
import { JobReach } from '../../src/job/job-reach.js';
import { noReach } from '../../src/job/job.model.js';
import { narrowReach, readReach } from '../../src/job/stored-reach.js';
import { randomFor } from '../reliability/support/random.js';
import { importInto } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
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

/** What each job stores of its company, beside what the company says. */
async function copies() {
  const jobs = await gateway.models.jobs.find().sort({ publicId: 1 }).lean();
  const reachOf = await readReach(collections(), jobs);
  const told = (of: { brand?: string | null; isCompanyInMedia?: boolean }, publicId: string) =>
    `${publicId} ${of.brand} ${of.isCompanyInMedia}`;
  return {
    stored: jobs.map((job) => told(job, job.publicId)),
    true: jobs.map((job) => told(reachOf(job), job.publicId)),
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

describe('what a job stores of its company (Contract 5.6.5)', () => {
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

  it('narrows before the company changes, and what a killed import has narrowed, the next import gives back', async () => {
    const before = await listed(ofBrand);
    expect(before).toContain('acme-office-manager');
    const acme = await gateway.models.companies.findOne({ publicId: 'acme' }).orFail().lean();
    await narrowReach(collections().jobs, [{ company: acme, isBrandChanged: true, left: [] }], media);
    const mark = { unsettledMedia: ['demo-media'], narrowedVersion: acme.version };
    await gateway.models.companies.updateOne({ publicId: 'acme' }, mark);
    expect((await listed(ofBrand)).filter((id) => id.startsWith('acme'))).toEqual([]);
    expect(await listed({})).toContain('acme-office-manager');
    await importInto(gateway, { kind: 'company', public_id: 'globex', brand: 'acme-group' });
    expect(await listed(ofBrand)).toEqual(expect.arrayContaining(before));
    // If the import was not killed, its write fails, and it begins again.
    expect(await gateway.models.companies.exists({ publicId: 'acme', version: acme.version })).toBeNull();
  });

  it('is taken away by each of two imports of the company at the same time, whichever comes first', async () => {
    const company = await gateway.models.companies.findOne({ publicId: 'acme' }).orFail().lean();
    const narrowings = [
      { company, isBrandChanged: true, left: [] },
      { company, isBrandChanged: false, left: ['demo-media'] },
    ];
    for (const narrowing of narrowings) await narrowReach(collections().jobs, [narrowing], media);
    expect((await listed({})).filter((id) => id.startsWith('acme'))).toEqual([]);
  });

  it('comes back in media that the company did not leave, if the import was killed after its write', async () => {
    await addOtherMedia();
    const { models } = gateway;
    const before = await listed(ofBrand);
    const { version } = await models.companies.findOne({ publicId: 'acme' }).orFail().lean();
    const mark = { unsettledMedia: ['other-media'], narrowedVersion: version };
    await models.companies.updateOne({ publicId: 'acme' }, { ...mark, version: version + 1 });
    // Another import has copied this while the company had the mark, but not its new version.
    await models.jobs.updateMany({ company: 'acme' }, { ...noReach, reachVersion: 2 * version + 1 });
    await settleDepartures(models);
    expect(await listed(ofBrand)).toEqual(before);
  });

  it('is not given to a job that comes while an import takes it away', async () => {
    const { version } = await gateway.models.companies.findOne({ publicId: 'acme' }).orFail().lean();
    await importInto(gateway, { kind: 'company', public_id: 'acme', brand: 'acme-group' });
    await gateway.models.companies.updateOne({ publicId: 'acme' }, { narrowedVersion: version });
    const place = { media_public_id: 'demo-media', company_public_id: 'acme' };
    await importInto(gateway, { kind: 'job', public_id: 'new-job', ...place, name: 'Anything' });
    expect(await listed(ofBrand)).not.toContain('new-job');
    await importInto(gateway, { kind: 'company', public_id: 'acme', brand: 'other-group' });
    expect(await listed({ ...ofBrand, brand: 'other-group' })).toContain('new-job');
  });

  it('is not replaced by what an older version of the company says', async () => {
    const { models } = gateway;
    const job = await models.jobs.findOne({ publicId: 'acme-office-manager' }).orFail().lean();
    await models.jobs.updateOne({ publicId: job.publicId }, { ...noReach, reachVersion: 9 });
    await importInto(gateway, { kind: 'job', public_id: job.publicId, salary: '1' });
    await completeReachTask(models).run(taskRun);
    expect(await models.jobs.findOne({ publicId: job.publicId }).lean()).toMatchObject({
      ...noReach,
      reachVersion: 9,
    });
  });
});

describe('jobs of version 1.x, which store nothing of their company', () => {
  const forget = () =>
    gateway.models.jobs.collection.updateMany(
      {},
      { $unset: { brand: 1, isCompanyInMedia: 1, reachVersion: 1 } },
    );

  it('are completed by the hourly task, without a version, a change or history', async () => {
    const all = await gateway.models.jobs.find().sort({ publicId: 1 }).lean();
    await forget();
    await completeReachTask(gateway.models).run(taskRun);
    expect(await gateway.models.jobs.find().sort({ publicId: 1 }).lean()).toEqual(all);
  });

  it('match by their companies until then, for each reach', async () => {
    await forget();
    const reach = new JobReach(collections());
    const caller = (roles: string[], brand?: string) =>
      ({
        subject: 'partner-a',
        roles: new Set(roles),
        scopes: new Set(),
        media: new Set(media),
        brand,
      }) as never;
    const found = async (of: never) => {
      const jobs = await gateway.models.jobs.find(await reach.listedIn(of, 'demo-media')).lean();
      return (await reach.complete(jobs)).map(
        ({ publicId, isCompanyInMedia }) => `${publicId} ${isCompanyInMedia}`,
      );
    };
    expect(await found(caller(['media_admin']))).toHaveLength(
      await gateway.models.jobs.countDocuments({ media: 'demo-media' }),
    );
    expect(await found(caller(['brand_admin'], 'acme-group'))).toEqual(
      expect.arrayContaining(['acme-office-manager true']),
    );
    expect(await found(caller(['brand_admin'], 'no-group'))).toEqual([]);
    expect(await found(caller(['media_partner']))).toEqual(['acme-backend-engineer true']);
  });
});
