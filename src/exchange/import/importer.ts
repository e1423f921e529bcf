import { Types } from 'mongoose';
import { completeAll } from '../../change/complete-all.js';
import { type Lease } from '../../change/records-lease.js';
import { snakeCase } from '../../errors/snake-case.js';
import { changesOf } from '../../fields/fields.rules.js';
import { retryLostRace } from '../../database/retry-lost-race.js';
import { type Inputs } from '../input/inputs.js';
import { type LineFault, missingWhenNew } from '../read-line.js';
import { type RecordKind, recordKinds } from '../line-format.js';
import { Arriving, type ImportContext, type Plan, type Planner, readStored } from './plan.js';
import { planCompanies } from './plan-company.js';
import { planJobs } from './plan-job.js';
import { planReferences } from './plan-reference.js';
import { createWriters } from './write-plans.js';

/** Lines by outcome. */
interface ImportCounts {
  inserted: number;
  changed: number;
  unchanged: number;
  faulty: number;
}

export interface ImportReport {
  /** Called with the number of bytes just read. */
  onBytes(count: number): void;
  onFault(line: { file: string; number: number }, fault: LineFault): void;
  onWarning(line: { file: string; number: number }, code: string, field: string): void;
  /** Called at the start of a step. `lines` is its number of lines, if known. */
  onStep(name: string, lines?: number): void;
  /** Called with the number of lines just done. */
  onLines(count: number): void;
}

const planMedia: Planner<'media'> = async (lines, { models, arriving }) => {
  const byId = await readStored(models.media, lines);
  return lines.map((line) => {
    const { public_id: publicId = '', name, job_url_template: jobUrlTemplate } = line.own;
    const plan = { line, warnings: [] };
    const media = byId.get(publicId);
    const values = { ...(name && { name }), ...(jobUrlTemplate && { jobUrlTemplate }) };
    if (!media) line.faults.push(...missingWhenNew('media', line));
    if (line.faults.length > 0) return plan;
    arriving?.media.add(publicId);
    if (!media) return { ...plan, insert: { _id: new Types.ObjectId(), publicId, ...values } };
    return changesOf(media, values).length > 0 ? { ...plan, set: { id: media._id, values } } : plan;
  });
};

const planners: { [Kind in RecordKind]: Planner<Kind> } = {
  media: planMedia,
  reference: planReferences,
  company: planCompanies,
  job: planJobs,
};

/**
 * Imports records. First reads all lines to find their kinds. Then checks the lines, writes them, or both, one kind after another. Each
 * line is written atomically, so the import can be run again after a crash.
 * @param mode.stopsOnFault whether one faulty line prevents all writes
 * @param mode.lease null for a dry run
 * @throws Error if a file cannot be read, or the driver's error if the database is away
 */
export async function importRecords(
  inputs: Inputs,
  shared: Omit<ImportContext, 'arriving' | 'identities' | 'isSecondPass'>,
  { stopsOnFault, lease }: { stopsOnFault: boolean; lease: Lease | null },
  report: ImportReport,
): Promise<ImportCounts> {
  let refused = 0;
  report.onStep('reading');
  for await (const { fault, ...line } of inputs.index((bytes) => report.onBytes(bytes))) {
    refused += 1;
    report.onFault(line, fault);
  }
  const pass = async (isWriting: boolean, isSecondPass: boolean) => {
    const arriving = isWriting ? null : new Arriving();
    const context = { ...shared, isSecondPass, arriving, identities: new Set<string>() };
    const counts = { inserted: 0, changed: 0, unchanged: 0, faulty: refused };
    if (lease && isWriting) await completeAll(shared.models);
    const onlyNew = { ...report, ...(isSecondPass && { onWarning: () => undefined }) };
    for (const kind of recordKinds)
      await runKind(kind, inputs, { context, counts, lease: isWriting ? lease : null, report: onlyNew });
    return counts;
  };
  if (lease && !stopsOnFault) return pass(true, false);
  const checked = await pass(false, false);
  if (stopsOnFault && checked.faulty > 0) return { ...checked, inserted: 0, changed: 0, unchanged: 0 };
  return lease ? pass(true, true) : checked;
}

interface Run {
  context: ImportContext;
  counts: ImportCounts;
  /** Null in a pass that only checks. */
  lease: Lease | null;
  report: ImportReport;
}

async function runKind<Kind extends RecordKind>(
  kind: Kind,
  inputs: Inputs,
  { context, counts, lease, report }: Run,
): Promise<void> {
  const lines = inputs.countOf(kind);
  if (lines === 0) return;
  report.onStep(`${lease ? 'writing' : 'checking'} ${kind} lines`, lines);
  const write = lease ? createWriters(context.models, context.logos)[kind] : async () => [];
  const plan: Planner<Kind> = planners[kind];
  const writeBatch = async (first: readonly Plan<Kind>[]): Promise<void> => {
    let plans = first;
    let again: Plan<Kind>['line'][] = [];
    await retryLostRace(
      async () => {
        // Long after the plan of a batch: an import that was paused meanwhile writes nothing.
        await lease?.renew();
        // Use a new set: in the old set, these lines would be duplicates of themselves.
        if (again.length > 0) plans = await plan(again, { ...context, identities: new Set<string>() });
        const good = plans.filter(({ line }) => line.faults.length === 0);
        const lost = new Set<Plan>(await write(good));
        for (const done of plans) if (!lost.has(done)) account(done, counts, report);
        report.onLines(plans.length - lost.size);
        again = plans.filter((one) => lost.has(one)).map(({ line }) => line);
        return again.length === 0 || null;
      },
      () => new Error('Other writers keep changing the same records: run the import again.'),
    );
  };
  // Plan the next batch while the database writes this one.
  let writing: Promise<void> = Promise.resolve();
  for await (const batch of inputs.lines(kind)) {
    const plans = await plan(batch, context);
    await writing;
    writing = writeBatch(plans);
    // Avoids an unhandled rejection; awaiting `writing` throws the error.
    writing.catch(() => undefined);
  }
  await writing;
}

function account(plan: Plan, counts: ImportCounts, report: ImportReport): void {
  const { line, warnings } = plan;
  for (const found of line.faults) report.onFault(line, found);
  for (const { code, field } of warnings) report.onWarning(line, code, snakeCase(field));
  for (const key of line.unknown) report.onWarning(line, 'unknown-field', key);
  if (line.faults.length > 0) counts.faulty += 1;
  else if (plan.insert) counts.inserted += 1;
  else if (plan.versions ?? plan.set) counts.changed += 1;
  else counts.unchanged += 1;
}
