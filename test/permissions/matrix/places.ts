import { Types } from 'mongoose';
import { type TestGateway } from '../../support/gateway.js';
import { copyAllReach } from '../../support/reset-records.js';
import { type Holder, type Reach } from './callers.js';

export interface Place {
  media: string;
  company: string;
  /** The company of `job`; company operations use `company`. */
  employer: string;
  job: string;
}

/** `tester`, the subject of every token, made each "own record". The "own brand" is `acme-group`. */
export const places = {
  'own record, own brand': place('demo-media', 'own-own', 'own-brand'),
  'own record, other brand': place('demo-media', 'own-other', 'other-brand'),
  'another partner’s record, own brand': place('demo-media', 'foreign-own', 'own-brand'),
  'another partner’s record, other brand': place('demo-media', 'foreign-other', 'other-brand'),
  'absent record': place('demo-media', 'nowhere', 'own-brand'),
  'absent record of an absent company': place('demo-media', 'nowhere', 'nowhere'),
  'own record, own brand, foreign media': place('other-media', 'abroad', 'abroad'),
  'absent record, foreign media': place('other-media', 'nowhere', 'nowhere'),
  'absent media': { ...place('no-media', 'own-own', 'own-brand'), job: 'nowhere' },
};
export type PlaceName = keyof typeof places;

function place(media: string, record: string, employer: string): Place {
  const idOf = (kind: string, name: string) => (name === 'nowhere' ? name : `${kind}-${name}`);
  return {
    media,
    company: idOf('company', record),
    employer: idOf('employer', employer),
    job: idOf('job', record),
  };
}

type Row = Record<Holder, Reach>;

const nobody: Row = {
  mediaAdmin: 'refused',
  mediaPartner: 'refused',
  brandAdmin: 'refused',
  brandAdminAnywhere: 'refused',
  brandAdminNowhere: 'refused',
  brandAdminWithoutBrand: 'refused',
  mediaAdminWithoutMedia: 'refused',
  noRole: 'refused',
  unknownRole: 'refused',
  partnerAndBrandAdmin: 'refused',
};
const admin: Pick<Row, 'mediaAdmin'> = { mediaAdmin: 'done' };
const maker: Pick<Row, 'mediaPartner' | 'partnerAndBrandAdmin'> = {
  mediaPartner: 'done',
  partnerAndBrandAdmin: 'done',
};
const brand: Pick<Row, 'brandAdmin' | 'brandAdminAnywhere' | 'partnerAndBrandAdmin'> = {
  brandAdmin: 'done',
  brandAdminAnywhere: 'done',
  partnerAndBrandAdmin: 'done',
};

/** Which callers reach which records with the required scope (Contract 3.3.7). */
export const reachOf: Record<PlaceName, Row> = {
  'own record, own brand': { ...nobody, ...admin, ...maker, ...brand },
  'own record, other brand': { ...nobody, ...admin, ...maker },
  'another partner’s record, own brand': { ...nobody, ...admin, ...brand },
  'another partner’s record, other brand': { ...nobody, ...admin },
  'absent record': { ...nobody, mediaAdmin: 'absent' },
  'absent record of an absent company': { ...nobody, mediaAdmin: 'absent' },
  'own record, own brand, foreign media': { ...nobody, brandAdminAnywhere: 'done' },
  'absent record, foreign media': nobody,
  'absent media': nobody,
};

/** Which callers reach a media, even in part, with the required scope (Contract 3.3). */
export const reachOfMedia: Record<string, Row> = {
  'demo-media': { ...nobody, ...admin, ...maker, ...brand },
  'other-media': { ...nobody, brandAdminAnywhere: 'done' },
  'no-media': nobody,
};

export async function storePlaces({ models }: TestGateway): Promise<void> {
  const acme = await models.companies.findOne({ publicId: 'acme' }).lean();
  const job = await models.jobs.findOne({ publicId: 'acme-backend-engineer' }).lean();
  if (!acme || !job) throw new Error('the demo data have changed');

  const company = (publicId: string, createdBy: string, ofBrand: string, media = 'demo-media') => ({
    ...acme,
    _id: new Types.ObjectId(),
    publicId,
    name: publicId,
    nameKey: publicId,
    domainUrl: `${publicId}.example`,
    domainKey: `${publicId}.example`,
    brand: ofBrand,
    createdBy,
    memberships: [{ media, isPublished: true, isVmePagePublished: true }],
  });
  const jobOf = (publicId: string, createdBy: string, employer: string, media = 'demo-media') => ({
    ...job,
    _id: new Types.ObjectId(),
    publicId,
    createdBy,
    company: employer,
    media,
  });
  await models.companies.collection.insertMany([
    company('company-own-own', 'tester', 'acme-group'),
    company('company-own-other', 'tester', 'other-group'),
    company('company-foreign-own', 'someone', 'acme-group'),
    company('company-foreign-other', 'someone', 'other-group'),
    company('company-abroad', 'tester', 'acme-group', 'other-media'),
    company('employer-own-brand', 'someone', 'acme-group'),
    company('employer-other-brand', 'someone', 'other-group'),
    company('employer-abroad', 'someone', 'acme-group', 'other-media'),
  ]);
  await models.jobs.collection.insertMany([
    jobOf('job-own-own', 'tester', 'employer-own-brand'),
    jobOf('job-own-other', 'tester', 'employer-other-brand'),
    jobOf('job-foreign-own', 'someone', 'employer-own-brand'),
    jobOf('job-foreign-other', 'someone', 'employer-other-brand'),
    jobOf('job-abroad', 'tester', 'employer-abroad', 'other-media'),
  ]);
  await copyAllReach(models);
}
