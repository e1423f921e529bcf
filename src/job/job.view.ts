import { memoize } from '../memoize.js';
import { callerOf, mayUpdate, type RequestContext } from '../permissions/request-context.js';
import { alsoRequested, requested, type Requested } from '../fields/view.rules.js';
import { type MediaRecord } from '../media/media.record.js';
import { emptySnapshot, type ReferenceReader } from '../fields/reference-snapshot.js';
import { type JobReference, jobReferences, jobTexts } from './job-choices.rules.js';
import { jobView } from './job-fields.rules.js';
import { type JobContext } from './job-row.rules.js';
import { type JobOfCompany, type JobRecord } from './job.record.js';
import { type JobType } from './job.graphql.js';

const referencesOf = (jobs: readonly JobRecord[], paths: ReadonlySet<string>) =>
  Object.entries(jobReferences).flatMap(([path, kind]) => {
    const ids = paths.has(path) ? jobs.flatMap((job) => job[path as JobReference] ?? []) : [];
    return ids.map((id) => ({ kind, id }));
  });

/** The fields that `jobPosting` reads. */
const postedFields = requested(
  ...['name', 'publicId', 'mediaPublicId', 'state', 'publishedAt', 'expiresAt'],
  ...['jobUrl', 'applicationMethod'],
  ...['company.name', 'employer.domainUrl', 'employer.content.visual.logo'],
  ...['contract', 'worktime', 'remote', 'education', 'experience', 'salaryRange'],
  ...['addressNbr', 'address', 'city', 'administrativeAreaRegion', 'zipCode', 'country', 'countryCode'].map(
    (part) => `location.${part}`,
  ),
  ...jobTexts.map((text) => `description.${text}`),
);

const withPosted = memoize((fields: Requested) => alsoRequested(fields, postedFields));

/** To whom jobs are shown. */
type Reader = Pick<JobContext, 'caller' | 'language' | 'mayUpdate'>;

/** The caller with only the roles that may read companies: they decide which employers are shown. */
export const readerOfCompanies = (context: RequestContext): Reader => ({
  caller: callerOf(context, 'company'),
  mayUpdate: mayUpdate(context),
  language: context.language,
});

/** Converts jobs to GraphQL, with the media and references that the requested fields need. */
export class JobPresenter {
  constructor(
    private readonly dependencies: {
      media: { find: (publicId: string) => Promise<MediaRecord | null> };
      references: ReferenceReader;
      logoUrlOf: (hash: string) => string;
      clock: () => Date;
    },
  ) {}

  /** The view of the requested fields. Default: of all. */
  view(fields?: Requested) {
    const { media: allMedia, references, logoUrlOf, clock } = this.dependencies;
    const { paths, show } = jobView(fields?.has('jobPosting') ? withPosted(fields) : fields);
    return {
      paths,
      /** Returns a function that shows these jobs as they are now. */
      prepare: async (reader: Reader, jobs: readonly JobRecord[]) => {
        const named = paths.media ? [...new Set(jobs.map((job) => job.media))] : [];
        const [found, snapshot] = await Promise.all([
          Promise.all(named.map((publicId) => allMedia.find(publicId))),
          paths.references
            ? references.readStored(referencesOf(jobs, paths.job ?? new Set()))
            : emptySnapshot,
        ]);
        const gone = named.find((_, index) => !found[index]);
        if (gone !== undefined) throw new Error(`A job refers to the media ${gone}, which does not exist`);
        const mediaOf = new Map(named.map((publicId, index) => [publicId, found[index] as MediaRecord]));
        const context = { ...reader, references: { snapshot }, logoUrlOf, now: clock() };
        return ({ job, company }: JobOfCompany): JobType => {
          const media = mediaOf.get(job.media) as MediaRecord;
          return show({ job, company, media, mediaPublicId: job.media, ...context });
        };
      },
    };
  }
}
