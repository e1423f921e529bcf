import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLObjectType } from 'graphql';
import { Types } from 'mongoose';
import { type CompanyRecord } from '../../src/company/company.record.js';
import { demoReferences } from '../support/demo-references.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { type ReferenceKind } from '../../src/fields/reference-snapshot.js';
import { everything } from '../support/everything.js';
import { nodeId } from '../../src/fields/row.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf } from '../support/requests.js';
import { withEnd } from '../support/reset-records.js';

const gateway = ownGateway({ JOB_LIFETIME: '10d' });
const dayMs = 86_400_000;
const publishedAt = new Date(Date.now() - dayMs);

const references = demoReferences;
function named(kind: ReferenceKind) {
  const found = references.findLast((each) => each.kind === kind);
  if (!found) throw new Error(`the demo has no ${kind}`);
  return found;
}
function shownOf(kind: ReferenceKind) {
  const { _id, publicId, name, parent } = named(kind);
  return { id: _id.toHexString(), publicId, name: name.en, names: name, parentPublicId: parent };
}

const ofCompany = { publicId: 'whole-company', name: 'Name of the company' };
const office = {
  _id: new Types.ObjectId(),
  publicId: 'whole-office',
  name: { en: 'Office in English', fr: 'Bureau en français' },
};

/** No value occurs twice, so the test notices a value in the wrong field. */
const company: CompanyRecord = {
  ...ofCompany,
  _id: new Types.ObjectId(),
  nameKey: 'name key',
  domainUrl: 'https://Domain.example',
  domainKey: 'domain-key.example',
  brand: 'brand',
  memberships: [
    { media: 'other-media', isPublished: false, isVmePagePublished: true },
    { media: 'demo-media', isPublished: true, isVmePagePublished: false },
  ],
  offices: [office],
  size: named('size')._id,
  sectors: [named('sector')._id],
  description: 'description of the company',
  language: 'fr',
  logo: { kind: 'url', url: 'https://logo.example/' },
  createdBy: 'maker of the company',
  version: 3,
  updatedAt: new Date('2026-02-03T04:05:06.789Z'),
  changedAt: new Date(),
  pendingHistory: [],
};
const description = {
  companyDesc: 'companyDesc',
  jobDesc: 'jobDesc',
  profileDesc: 'profileDesc',
  benefitDesc: 'benefitDesc',
  processDesc: 'processDesc',
};
const questionId = new Types.ObjectId();
const question = {
  name: 'name of the question',
  ref: 'ref',
  refType: 'refType',
  title: { en: 'title in English', fr: 'titre en français' },
  placeholder: { en: 'placeholder in English', fr: 'exemple en français' },
  isRequired: true,
};
const job: JobRecord = {
  _id: new Types.ObjectId(),
  publicId: 'whole-job',
  media: 'demo-media',
  company: ofCompany.publicId,
  name: 'Name of the job',
  nameKey: 'name of the job',
  state: 'published',
  ...withEnd({ publishedAt }),
  contract: named('contract')._id,
  jobCategory: named('job_category')._id,
  worktime: named('worktime')._id,
  remote: named('remote')._id,
  education: named('education')._id,
  experience: named('experience')._id,
  office: office._id,
  salary: 'salary',
  salaryRange: { minimum: '1', maximum: '2', currency: 'EUR', period: 'day' },
  localisation: 'localisation',
  location: {
    addressNbr: '12 bis',
    address: 'address',
    city: 'city',
    department: 'department',
    region: 'region',
    zipCode: 'zipCode',
    countryCode: 'CHE',
  },
  description,
  questions: [{ _id: questionId, ...question }],
  applicationMethod: 'external_apply',
  applicationUrl: 'https://apply.example/',
  managerEmails: ['manager@a.example'],
  recruiterEmails: ['recruiter@a.example'],
  createdBy: 'maker of the job',
  ...{ brand: company.brand, isCompanyInMedia: true, companyVersion: company.version },
  version: 5,
  updatedAt: new Date('2026-03-04T05:06:07.891Z'),
  changedAt: new Date(),
  pendingHistory: [],
};

beforeAll(async () => {
  await gateway.models.companies.collection.insertOne(company);
  await gateway.models.jobs.collection.insertOne(job);
});

async function shown(type: string, root: string): Promise<unknown> {
  const selection = everything(buildSchema().getType(type) as GraphQLObjectType);
  const token = await gateway.token({ scope: 'r_w_jobs r_w_companies' });
  const query = `{ it: ${root} { ${selection} } }`;
  return (await dataOf<{ it: unknown }>(gateway, query, {}, { token })).it;
}

const wholeCompany = {
  ...ofCompany,
  id: nodeId('Company', 'demo-media', 'whole-company'),
  recordId: company._id.toHexString(),
  mediaPublicId: 'demo-media',
  viewerCanUpdate: true,
  domainUrl: 'https://Domain.example',
  size: shownOf('size').id,
  sizeReference: shownOf('size'),
  sectors: [shownOf('sector').id],
  sectorReferences: [shownOf('sector')],
  content: {
    visual: { logo: 'https://logo.example/' },
    description: 'description of the company',
    language: 'fr',
  },
  isPublished: true,
  isVmePagePublished: false,
  // The token covers only this media.
  mediaPublicIds: ['demo-media'],
  updatedAt: company.updatedAt?.toISOString(),
  version: 3,
};

describe('a record whose values all differ', () => {
  it('shows each value in its own field if it is a company (Contract 2.1.1)', async () => {
    expect(await shown('Company', 'company(mediaPublicId: "demo-media", publicId: "whole-company")')).toEqual(
      wholeCompany,
    );
  });

  it('shows each value in its own field if it is a job (Contract 2.2.1, 2.2.6)', async () => {
    expect(await shown('Job', 'job(publicId: "whole-job")')).toEqual({
      id: nodeId('Job', 'whole-job'),
      publicId: 'whole-job',
      mediaPublicId: 'demo-media',
      media: { id: nodeId('Media', 'demo-media'), publicId: 'demo-media', name: 'Demo Media' },
      viewerCanUpdate: true,
      company: { id: wholeCompany.id, ...ofCompany },
      employer: wholeCompany,
      name: 'Name of the job',
      state: 'published',
      nextStates: ['archived'],
      publishedAt: publishedAt.toISOString(),
      expiresAt: new Date(publishedAt.getTime() + 90 * dayMs).toISOString(),
      contract: shownOf('contract'),
      jobCategory: shownOf('job_category'),
      worktime: shownOf('worktime'),
      remote: shownOf('remote'),
      education: shownOf('education'),
      experience: shownOf('experience'),
      office: {
        publicId: 'whole-office',
        name: 'Office in English',
      },
      salary: 'salary',
      salaryRange: { minimum: '1', maximum: '2', currency: 'EUR', period: 'day' },
      localisation: 'localisation',
      location: {
        addressNbr: '12 bis',
        address: 'address',
        city: 'city',
        administrativeAreaDepartment: 'department',
        administrativeAreaRegion: 'region',
        zipCode: 'zipCode',
        country: 'Switzerland',
        countryCode: 'CHE',
      },
      description,
      questions: [{ questionId: questionId.toHexString(), ...question }],
      jobUrl: 'https://demo-media.example/companies/whole-company/jobs/whole-job',
      applyUrl: 'https://demo-media.example/companies/whole-company/jobs/whole-job#apply',
      isRedirectApply: true,
      applicationMethod: 'external_apply',
      applicationUrl: 'https://apply.example/',
      managerEmails: ['manager@a.example'],
      recruiterEmails: ['recruiter@a.example'],
      jobPosting: expect.objectContaining({ '@type': 'JobPosting', title: 'Name of the job' }),
      updatedAt: job.updatedAt?.toISOString(),
      version: 5,
    });
  });
});
