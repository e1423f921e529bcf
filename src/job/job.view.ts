import { memoize1 } from '@graphql-tools/utils';
import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { membershipIn } from '../access/reach.rules.js';
import { type CompanyRecord } from '../company/company.model.js';
import { mergedSelection, type Selection } from '../fields/selection.js';
import { projectionOf } from '../paging/query.rules.js';
import { type MediaRecord } from '../media/media.model.js';
import { type MediaService } from '../media/media.service.js';
import { emptyBook } from '../fields/reference-book.js';
import { type ReferenceService } from '../reference/reference.service.js';
import { type JobReference, jobReferences } from './job-choices.rules.js';
import { jobView } from './job-fields.rules.js';
import { type Context } from './job-row.rules.js';
import { postedFields } from './job-posting.rules.js';
import { type Employer, type JobOfCompany, type JobRecord } from './job.model.js';
import { type JobType } from './job.types.js';

const referencesOf = (jobs: readonly JobRecord[], paths: ReadonlySet<string>) =>
  Object.entries(jobReferences).flatMap(([path, kind]) => {
    const ids = paths.has(path) ? jobs.flatMap((job) => job[path as JobReference] ?? []) : [];
    return ids.map((id) => ({ kind, id }));
  });

const withPosted = memoize1((selection: Selection) => mergedSelection(selection, postedFields));

/** To whom jobs are shown. */
export type Reader = Pick<Context, 'caller' | 'language' | 'mayUpdate'>;

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

  /** The view of a selection. Default: of all fields. */
  view(selection?: Selection) {
    const { media: allMedia, references, logoUrlOf, clock } = this.dependencies;
    const { paths, show } = jobView(selection?.has('jobPosting') ? withPosted(selection) : selection);
    return {
      paths,
      /** Returns a function that shows these jobs as they are now. */
      prepare: async (reader: Reader, jobs: readonly JobRecord[]) => {
        const named = paths.media ? [...new Set(jobs.map((job) => job.media))] : [];
        const [found, book] = await Promise.all([
          Promise.all(named.map((publicId) => allMedia.find(publicId))),
          paths.references ? references.readStored(referencesOf(jobs, paths.job ?? new Set())) : emptyBook,
        ]);
        const gone = named.find((_, index) => !found[index]);
        if (gone !== undefined) throw new Error(`A job refers to the media ${gone}, which does not exist`);
        const mediaOf = new Map(named.map((publicId, index) => [publicId, found[index] as MediaRecord]));
        const context = { ...reader, references: { book }, logoUrlOf, now: clock() };
        return ({ job, company }: JobOfCompany): JobType => {
          const media = mediaOf.get(job.media) as MediaRecord;
          return show({ job, company, media, mediaPublicId: job.media, ...context });
        };
      },
    };
  }
}

/** A document from {@link withEmployer}. `employers` is empty if the company is gone. */
export interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers: Employer[];
}

export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/**
 * The stages that read one job with its company: a second command would double the cost. A separate stage projects the company:
 * databases rerun a pipeline inside `$lookup`.
 * @param job projection of the jobs
 * @param employer paths of the companies; `memberships.media` is always added
 */
export function withEmployer(
  { collectionName: from }: Collection<CompanyRecord>,
  job: Document,
  employer: Iterable<string> = [],
): readonly Document[] {
  const paths = [...employer, 'memberships.media'];
  return [
    { $project: job },
    { $replaceWith: { job: '$$ROOT' } },
    { $lookup: { from, localField: 'job.company', foreignField: 'publicId', as: 'employers' } },
    ...(paths.includes('office') ? takingOffice : []),
    {
      $project: projectionOf(
        ['job'],
        paths.map((path) => (path === 'office' ? path : `employers.${path}`)),
      ),
    },
  ];
}

const officeOfJob = { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] };

/** Keeps only the job's office: a company can have a thousand offices. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  // Offices that are damaged, and an object, would make the whole command fail. In the order of types, an array follows an object.
  { $set: { office: { $cond: [{ $gt: ['$offices', []] }, officeOfJob, null] } } },
];

/** Undefined if the company is gone or has left the media: nobody can reach such a job (Contract 5.6.4). */
export function employerOf({ job, employers, office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}
