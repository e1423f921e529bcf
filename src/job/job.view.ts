import { memoize1 } from '@graphql-tools/utils';
import { type Types } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { reachesRecord } from '../access/reach.rules.js';
import { reachPaths } from '../company/company.model.js';
import { type CompanyType } from '../company/company.types.js';
import { type CompanyContext, shownCompany } from '../company/company.view.js';
import { type Asked, askedOfBoth } from '../fields/asked-fields.js';
import { selectorOf, Shown, type ShownFields, shownFrom, ShownWhere } from '../fields/shown-fields.js';
import { type Language } from '../errors/catalogue.js';
import { ShownHistory } from '../history/history-entry.js';
import { type MediaRecord } from '../media/media.model.js';
import { type MediaService } from '../media/media.service.js';
import { emptyBook, type ReferenceBook } from '../fields/reference-book.js';
import { type ReferenceService } from '../reference/reference.service.js';
import { toReference } from '../reference/reference.types.js';
import { type JobReference, jobReferences } from './job-choices.rules.js';
import { type JobDescription, type JobRecord } from './job.model.js';
import { postedFields } from './job-posting.rules.js';
import { endPaths, shownEnd, stateAt, updatedAtOf } from './job-end.rules.js';
import { type Employer, type JobOfCompany } from './job-with-employer.js';
import { type JobType } from './job.types.js';
import { countryName, isoCode } from './location/country.js';
import { type Location } from './location/location.js';

interface Sources {
  job: JobRecord;
  company: Employer;
  media: MediaRecord;
  references: { book: ReferenceBook };
}

interface Context extends CompanyContext {
  language: Language;
  now: Date;
}

const from = shownFrom<Sources, Context>();

const stored = <Path extends keyof JobRecord>(path: Path) =>
  new Shown<Sources, Context, JobRecord[Path]>({ job: [path] }, ({ job }) => job[path]);

const reference = (path: JobReference) =>
  from({ job: [path], references: ['book'] }, ({ job, references, language }) => {
    const id: Types.ObjectId | null = job[path];
    const record = id && references.book.find(jobReferences[path], id);
    return record ? toReference(record, language) : null;
  });

const place = (part: keyof Location) =>
  from({ job: [`location.${part}`] }, ({ job }) => job.location[part] ?? '');

const address = (part: 'address' | 'addressNbr') =>
  from({ job: [`location.${part}`] }, ({ job }) => job.location[part]);

const text = (part: keyof JobDescription) =>
  from({ job: [`description.${part}`] }, ({ job }) => job.description[part]);

const jobUrl = (fragment: string) =>
  from({ job: ['company', 'publicId'], media: ['jobUrlTemplate'] }, ({ job, media }) =>
    media.jobUrlTemplate
      .replaceAll('{company}', encodeURIComponent(job.company))
      .replaceAll('{job}', encodeURIComponent(job.publicId))
      .concat(fragment),
  );

const shownJob = {
  history: from(
    { job: ['_id', 'publicId', 'version'] },
    ({ job }) => new ShownHistory(job._id, job.publicId, job.version),
  ),
  name: stored('name'),
  publicId: stored('publicId'),
  mediaPublicId: stored('media'),
  company: { publicId: stored('company'), name: from({ company: ['name'] }, ({ company }) => company.name) },
  employer: new ShownWhere<Sources, Context, CompanyType>(
    { company: reachPaths },
    ({ caller, mediaPublicId, company }) => reachesRecord(caller, mediaPublicId, company),
    shownCompany,
  ),
  state: from({ job: endPaths }, ({ job, now }) => stateAt(job, now)),
  publishedAt: stored('publishedAt'),
  expiresAt: from({ job: endPaths }, ({ job, now }) => shownEnd(job, now)),
  contract: reference('contract'),
  jobCategory: reference('jobCategory'),
  worktime: reference('worktime'),
  remote: reference('remote'),
  education: reference('education'),
  experience: reference('experience'),
  office: from({ job: ['office'], company: ['office'] }, ({ job, company: { office }, language }) =>
    office && job.office?.equals(office._id) ? toReference(office, language) : null,
  ),
  localisation: stored('localisation'),
  location: {
    addressNbr: address('addressNbr'),
    address: address('address'),
    city: place('city'),
    administrativeAreaDepartment: place('department'),
    administrativeAreaRegion: place('region'),
    zipCode: place('zipCode'),
    country: from({ job: ['location.countryCode'] }, ({ job, language }) =>
      countryName(job.location.countryCode, language),
    ),
    countryCode: from({ job: ['location.countryCode'] }, ({ job }) => isoCode(job.location.countryCode)),
  },
  salary: stored('salary'),
  salaryRange: from({ job: ['salaryRange'] }, ({ job }) => job.salaryRange ?? null),
  description: {
    companyDesc: text('companyDesc'),
    jobDesc: text('jobDesc'),
    profileDesc: text('profileDesc'),
    benefitDesc: text('benefitDesc'),
    processDesc: text('processDesc'),
  },
  questions: from({ job: ['questions'] }, ({ job }) =>
    // A rest pattern takes ten times as long, and a page has hundreds of questions.
    job.questions.map(({ _id, name, ref, refType, title, placeholder, isRequired }) => ({
      id: _id.toHexString(),
      name,
      ref,
      refType,
      title,
      placeholder: placeholder ?? null,
      isRequired,
    })),
  ),
  jobUrl: jobUrl(''),
  applyUrl: jobUrl('#apply'),
  isRedirectApply: from(
    { job: ['applicationMethod'] },
    ({ job }) => job.applicationMethod === 'external_apply',
  ),
  applicationMethod: stored('applicationMethod'),
  applicationUrl: stored('applicationUrl'),
  managerEmails: stored('managerEmails'),
  recruiterEmails: stored('recruiterEmails'),
  updatedAt: from({ job: [...endPaths, 'updatedAt'] }, ({ job, now }) => updatedAtOf(job, now)),
  version: stored('version'),
} satisfies ShownFields<Sources, Context, JobType>;

const referencesOf = (jobs: readonly JobRecord[], paths: ReadonlySet<string>) =>
  Object.entries(jobReferences)
    .filter(([path]) => paths.has(path))
    .flatMap(([path, kind]) =>
      jobs.flatMap((job) => {
        const id = job[path as JobReference];
        return id ? [{ kind, id }] : [];
      }),
    );

const selectOfJob = selectorOf<Sources, Context, JobType>(shownJob);

const withPosted = memoize1((asked: Asked) => askedOfBoth(asked, postedFields));

/** Converts jobs to GraphQL, with the media and references that the requested fields need. */
export class JobPresenter {
  constructor(
    private readonly dependencies: {
      media: MediaService;
      references: ReferenceService;
      logoUrlOf: (hash: string) => string;
      clock: () => Date;
    },
  ) {}

  /** Returns the stored paths that the requested fields need. Default: all fields. */
  select(asked?: Asked) {
    const { media: allMedia, references, logoUrlOf, clock } = this.dependencies;
    const { paths, show } = selectOfJob(asked?.has('jobPosting') ? withPosted(asked) : asked);
    return {
      paths,
      /** Returns a function that shows these jobs as they are now. All jobs must belong to this media. */
      in: async (
        mediaPublicId: string,
        { caller, language }: { caller: Caller; language: Language },
        jobs: readonly JobRecord[],
      ): Promise<(found: JobOfCompany) => JobType> => {
        const [media, book] = await Promise.all([
          paths.media && allMedia.find(mediaPublicId),
          paths.references ? references.readStored(referencesOf(jobs, paths.job ?? new Set())) : emptyBook,
        ]);
        if (media === null)
          throw new Error(`A job refers to the media ${mediaPublicId}, which does not exist`);
        const context = {
          media: media as MediaRecord,
          references: { book },
          caller,
          mediaPublicId,
          logoUrlOf,
          language,
          now: clock(),
        };
        return ({ job, company }) => show({ job, company, ...context });
      },
    };
  }
}
