import { type UpdateCompanyInput, type UpdateJobInput } from './documents/graphql.js';

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

type Ids =
  Pick<UpdateJobInput, 'jobPublicId'> | Pick<UpdateCompanyInput, 'mediaPublicId' | 'companyPublicId'>;
type Field = Exclude<
  keyof UpdateJobInput | keyof UpdateCompanyInput,
  'jobPublicId' | 'mediaPublicId' | 'companyPublicId'
>;

export interface Undo<Input> {
  /** An update of the record: its ids, and the values from before the change. */
  input: Input;
  /** The fields that no update can write back, by name. */
  lost: string[];
}

/** Returned for a value that cannot be written back. */
const lost = Symbol('lost');

type WriteBack = (
  before: unknown,
  entry: { changes: readonly Change[]; isJob: boolean; now: Date },
) => unknown;

const any: WriteBack = (before) => before;
/** The history hides addresses. */
const never: WriteBack = () => lost;

const stateBefore = (changes: readonly Change[]) => changes.find(({ field }) => field === 'state');

/** How each field is written back. Undefined: the field follows from another one. */
const writeBack: Record<Field, WriteBack> = {
  applicationMethod: any,
  applicationUrl: any,
  contractId: any,
  description: any,
  descriptionBenefits: any,
  descriptionCompany: any,
  descriptionJob: any,
  descriptionProcess: any,
  descriptionProfile: any,
  domainUrl: any,
  educationId: any,
  experienceId: any,
  expiresAt(before, { changes, now }) {
    const state = stateBefore(changes);
    if (state && state.before !== 'published') return undefined;
    return typeof before === 'string' && new Date(before) > now ? before : lost;
  },
  jobCategoryId: any,
  localisation: any,
  logo: never,
  logoUrl(before) {
    if (before === null) return null;
    const { kind, url } = before as { kind?: unknown; url?: unknown };
    return kind === 'url' ? url : lost;
  },
  managerEmails: never,
  name: (before, { isJob }) => (isJob ? lost : before),
  recruiterEmails: never,
  remotePolicyId: any,
  salary: any,
  salaryRange: any,
  sectorIds: any,
  sizeId: any,
  // Nothing becomes a draft again.
  state: (before) => (before === 'draft' ? lost : before),
  worktimeId: any,
};

/** The gateway derives these fields from an input in the same entry. */
const derived: Readonly<Record<string, Field>> = { location: 'localisation' };

/**
 * The input that writes back what was before a change in a history. Send it with the version that the record has now, and show what is in
 * `lost`: addresses, uploaded logos, and a state or an end that cannot return.
 * @param entry a node of `JobHistoryDocument` or `CompanyHistoryDocument`
 * @param ids of the record
 */
export function inputOfHistory<Input extends Ids>(
  entry: { readonly changes: readonly Change[] },
  ids: Input,
  now = new Date(),
): Undo<Input extends { jobPublicId: string } ? UpdateJobInput : UpdateCompanyInput> {
  const { changes } = entry;
  const input: Record<string, unknown> = { ...ids };
  const left: string[] = [];
  for (const { field, before } of changes) {
    if (changes.some((change) => change.field === derived[field])) continue;
    const isField = Object.hasOwn(writeBack, field);
    const value = isField
      ? writeBack[field as Field](before, { changes, isJob: 'jobPublicId' in ids, now })
      : lost;
    if (value === lost) left.push(field);
    else if (value !== undefined) input[field] = value;
  }
  return { input: input as never, lost: left };
}
