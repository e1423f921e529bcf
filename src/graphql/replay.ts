import { createHash } from 'node:crypto';
import { authorityOf } from '../tokens/caller.js';
import { type Quotas } from '../quotas/quotas.js';
import { callerOf, type Stage } from '../permissions/request-context.js';
import { companyRows } from '../company/company-fields.rules.js';
import { type CompanyType } from '../company/company.graphql.js';
import { blankCompany } from '../company/company.record.js';
import { type HeldFile } from '../company/logo/logo-intake.js';
import { withDefaults } from '../database/record-reader.js';
import { blankView, nodeId } from '../fields/row.rules.js';
import { type IdempotencyService } from '../idempotency/idempotency.service.js';
import { jobRows } from '../job/job-fields.rules.js';
import { type JobType } from '../job/job.graphql.js';
import { blankJob } from '../job/job.record.js';
import { moves } from '../job/job.rules.js';
import { type RootFieldName } from '../operations.js';

interface RepeatableArguments {
  idempotencyKey?: string | null;
  dryRun?: boolean | null;
  input?: { mediaPublicId?: string; logo?: Promise<HeldFile> | null };
}

const blank = { job: blankJob, company: blankCompany };

const withJobDefaults = withDefaults<JobType>(blankView(jobRows, blank));
const withCompanyDefaults = withDefaults<CompanyType>(blankView(companyRows, blank));

/** A stored reply can be older than a field that it now shows. */
function complete({ job, company }: { job?: JobType; company?: CompanyType }): void {
  if (job) {
    // 2.0.0 stored neither.
    job.nextStates ??= moves[job.state];
    job.company.id ??= nodeId('Company', job.mediaPublicId, job.company.publicId);
    withJobDefaults(job);
  }
  if (company) withCompanyDefaults(company);
}

/**
 * Answers a repeated mutation with its first reply, for the price of reading it. Inputs are equal if their JSON and the bytes of their
 * files are equal.
 */
export function replay(service: IdempotencyService, quotas: Pick<Quotas, 'charge'>): Stage {
  return async (next, parent, args: RepeatableArguments, context, info) => {
    const { idempotencyKey: key, dryRun, input, ...others } = args;
    if (key == null || dryRun) return next(parent, args, context, info);

    const { logo, ...fields } = input ?? { ...others, expectedVersion: undefined, logo: undefined };
    const file = await logo;
    const digest = file && createHash('sha256').update(file.bytes).digest('base64url');
    // Never change how `input` is built: its digest is stored for 24 h, so repeated calls would fail after an upgrade.
    const repeatable = {
      authority: authorityOf(callerOf(context, info.fieldName as RootFieldName)),
      operation: info.fieldName,
      key,
      input: JSON.stringify({
        ...fields,
        ...(digest && { logo: digest }),
        // Fields that REST could not parse count too, by the codes of their faults.
        refused: context.parseFaults.map(({ code }) => code),
      }),
    };
    const { payload, isReplayed } = await service.once(repeatable, async (call) =>
      next(parent, args, { ...context, call }, info),
    );
    if (isReplayed) {
      await quotas.charge(context, true);
      context.isReplayed = true;
      complete(payload as { job?: JobType; company?: CompanyType });
    }
    return payload;
  };
}
