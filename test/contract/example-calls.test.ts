import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { type Connection } from '../../schema/examples/call-gateway.js';
import { listJobs } from '../../schema/examples/list-jobs.js';
import { publishJob } from '../../schema/examples/publish-job.js';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway();
let connection: Connection;
beforeAll(async () => {
  connection = { url: `${gateway.url}/graphql`, token: await gateway.token() };
});
beforeEach(() => gateway.reset());

const draft = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'acme-office-manager' };

describe('the example calls of a front-end', () => {
  it('publish a job', async () => {
    const page = 'https://demo-media.example/companies/acme/jobs/acme-office-manager';
    expect(await publishJob(connection, draft)).toBe(`Office manager (F/H) is at ${page}`);
    expect(await publishJob(connection, draft)).toBe('Office manager (F/H) is published already.');
  });

  it('tell why a job is not published', async () => {
    const anonymous = { ...connection, token: 'none' };
    expect(await publishJob(anonymous, draft)).toBe('Please sign in again.');
    const reader = { ...connection, token: await gateway.token({ scope: 'r_jobs' }) };
    expect(await publishJob(reader, draft)).toBe('You may not do this.');
    const french: Connection = { ...connection, language: 'fr' };
    const ofGlobex = { ...draft, companyPublicId: 'globex', jobPublicId: 'globex-accountant' };
    expect(await publishJob(french, ofGlobex)).toBe(
      'L’entreprise n’est pas publiée actuellement dans ce média.',
    );
  });

  it('list every job of a media, page after page', async () => {
    const source = await gateway.models.jobs.findOne({ publicId: draft.jobPublicId }).lean();
    const more = Array.from({ length: 51 }, (_, index) => ({
      ...source,
      _id: new Types.ObjectId(),
      publicId: `job-${index}`,
    }));
    await gateway.models.jobs.collection.insertMany(more);
    const publicIds: string[] = [];
    for await (const { publicId } of listJobs(connection, 'demo-media')) publicIds.push(publicId);
    expect(publicIds).toHaveLength(new Set(publicIds).size);
    expect(publicIds).toEqual(expect.arrayContaining(['acme-backend-engineer', 'job-0', 'job-50']));
  });

  it('take nothing for an answer that no gateway gave', async () => {
    await expect(publishJob({ ...connection, url: `${gateway.url}/nowhere` }, draft)).rejects.toThrow(
      'answers 404 as no gateway does',
    );
  });
});
