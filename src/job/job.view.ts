import { memoize1 } from '@graphql-tools/utils';
import { mergedSelection, type Selection } from '../fields/selection.js';
import { type MediaRecord } from '../media/media.model.js';
import { type MediaService } from '../media/media.service.js';
import { emptyBook } from '../fields/reference-book.js';
import { type ReferenceService } from '../reference/reference.service.js';
import { type JobReference, jobReferences } from './job-choices.rules.js';
import { jobView } from './job-fields.rules.js';
import { type Context } from './job-row.rules.js';
import { postedFields } from './job-posting.rules.js';
import { type JobOfCompany, type JobRecord } from './job.model.js';
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
      /** Returns a function that shows these jobs as they are now. All jobs must belong to this media. */
      prepare: async (
        mediaPublicId: string,
        { caller, language, mayUpdate }: Reader,
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
          mayUpdate,
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
