import { type Types } from 'mongoose';
import { type Language } from '../errors/catalogue.js';
import { type MediaService } from '../media/media.service.js';
import { type ReferenceKind } from '../reference/reference.model.js';
import { type ReferenceService } from '../reference/reference.service.js';
import { toReference } from '../reference/reference.types.js';
import { expiresAt, stateAt } from './job-state.rules.js';
import { type JobOfCompany } from './job-with-employer.js';
import { type JobType } from './job.types.js';
import { countryName } from './location/country.js';

/** Shows jobs as GraphQL does, with what they need besides their own record. */
export class JobPresenter {
  constructor(
    private readonly dependencies: {
      media: MediaService;
      references: ReferenceService;
      clock: () => Date;
      lifetimeMs: number;
    },
  ) {}

  /** The job at this moment, in the language asked for. */
  async present({ job, company }: JobOfCompany, language: Language): Promise<JobType> {
    const { clock, lifetimeMs } = this.dependencies;
    const [media, book] = await Promise.all([
      this.dependencies.media.find(job.media),
      this.dependencies.references.read(),
    ]);
    if (!media) throw new Error(`job ${job.publicId} belongs to media ${job.media}, which does not exist`);

    const reference = (kind: ReferenceKind, id: Types.ObjectId | null) => {
      const record = id && book.find(kind, id.toHexString());
      return record ? toReference(record, language) : null;
    };
    const office = company.offices.find(({ _id }) => job.office && _id.equals(job.office));
    const jobUrl = media.jobUrlTemplate
      .replaceAll('{company}', encodeURIComponent(job.company))
      .replaceAll('{job}', encodeURIComponent(job.publicId));
    const { addressNbr, address, city, department, region, zipCode, countryCode } = job.location;
    const now = clock();
    return {
      recordId: job._id,
      name: job.name,
      publicId: job.publicId,
      company: { publicId: company.publicId, name: company.name },
      state: stateAt(job, now, lifetimeMs),
      publishedAt: job.publishedAt,
      expiresAt: expiresAt(job, now, lifetimeMs),
      contract: reference('contract', job.contract),
      jobCategory: reference('job_category', job.jobCategory),
      worktime: reference('worktime', job.worktime),
      remote: reference('remote', job.remote),
      education: reference('education', job.education),
      experience: reference('experience', job.experience),
      office: office ? toReference(office, language) : null,
      location: {
        addressNbr,
        address,
        city,
        administrativeAreaDepartment: department,
        administrativeAreaRegion: region,
        zipCode,
        country: countryName(countryCode, language),
        countryCode,
      },
      salary: job.salary,
      description: job.description,
      // Field by field: the rest of an object takes ten times as long, and a page has hundreds of questions.
      questions: job.questions.map(({ _id, name, ref, refType, title, placeholder, isRequired }) => ({
        id: _id.toHexString(),
        name,
        ref,
        refType,
        title,
        placeholder: placeholder ?? null,
        isRequired,
      })),
      jobUrl,
      // The same page, opened at its application form.
      applyUrl: `${jobUrl}#apply`,
      isRedirectApply: job.applicationMethod === 'external_apply',
      applicationMethod: job.applicationMethod,
      applicationUrl: job.applicationUrl,
      managerEmails: job.managerEmails,
      recruiterEmails: job.recruiterEmails,
      version: job.version,
    };
  }
}
