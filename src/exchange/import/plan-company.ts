import { Types } from 'mongoose';
import { identityKeys } from '../../company/company-identity.rules.js';
import { companyChanges, readCompanyUpdate } from '../../company/company-update.rules.js';
import { blankCompany, type CompanyRecord, type Membership } from '../../company/company.record.js';
import { snakeCase } from '../../errors/snake-case.js';
import { visibleExcerpt } from '../../errors/messages.js';
import { newlyVersioned } from '../../history/history-entry.js';
import { fault, type Line, type LineFault, missingWhenNew } from '../read-line.js';
import { readEmbeddedLogo } from './embedded-logo.js';
import { idConflicts, idKey } from './plan-reference.js';
import {
  type ImportContext,
  type KnownRecords,
  type Plan,
  type Planner,
  readKnown,
  readStored,
  withStoredIds,
} from './plan.js';

const freshCompany = (
  { own }: Line<'company'>,
  createdBy: string,
  now: Date,
): Omit<CompanyRecord, 'nameKey'> => ({
  ...blankCompany,
  ...newlyVersioned(now),
  _id: own.id ?? new Types.ObjectId(),
  publicId: own.public_id ?? '',
  name: '',
  createdBy,
});

export const planCompanies: Planner<'company'> = async (lines, context) => {
  const byId = await readStored(context.models.companies, lines, blankCompany);
  const known = await readKnown(context);
  const drafts: Draft[] = [];
  for (const line of lines)
    drafts.push(await draftOf(line, byId.get(line.own.public_id ?? ''), known, context));
  await addIdentityFaults(drafts, context);
  return drafts.map((draft) => planOf(draft, context));
};

/** Nothing has checked yet that name, domain and id are unique. */
type Draft = Awaited<ReturnType<typeof draftOf>>;

async function draftOf(
  line: Line<'company'>,
  current: CompanyRecord | undefined,
  { snapshot, media }: KnownRecords,
  context: ImportContext,
) {
  const { own, faults } = line;
  const record = current ?? freshCompany(line, context.origin.actor, context.now());
  const read = readCompanyUpdate(line.fields, {
    record,
    snapshot,
    hasLogoFile: own.logo != null,
  });
  const { patch } = read;
  if (own.brand !== undefined) patch.brand = own.brand;
  if (own.language) patch.language = own.language;
  if (own.created_by) patch.createdBy = own.created_by;
  if (own.offices) patch.offices = withStoredIds(own.offices, record.offices, 'publicId');
  const memberships = membershipsOf(line, record.memberships);
  if (memberships) patch.memberships = memberships;
  const hasFlag = own.is_published !== undefined || own.is_vme_page_published !== undefined;
  if (hasFlag && memberships?.length === 0 && !faults.some(({ field }) => mediaKeys.includes(field)))
    faults.push(flagWithoutMedia);
  const plan: Plan<'company'> = { line, warnings: read.warnings };
  faults.push(...read.faults.map(fault.fromRules));
  const absent = memberships?.find((membership) => !media.has(membership.media));
  if (absent)
    faults.push(
      fault.notFound(
        own.memberships ? 'memberships' : 'media_public_id',
        `media ${visibleExcerpt(absent.media)}`,
      ),
    );
  if (!current) faults.push(...missingWhenNew('company', line));
  // Some files have every key: keep the logo of a `logo_url` next to a null `logo`.
  if (own.logo === null) patch.logo ??= null;
  else if (own.logo) {
    const embedded = await readEmbeddedLogo(own.logo, context);
    if ('fault' in embedded) faults.push(embedded.fault);
    else {
      patch.logo = { kind: 'file', hash: embedded.image.hash };
      plan.logo = embedded.image;
      if (embedded.image.isAnimated) plan.warnings.push({ code: 'logo-animation-removed', field: 'logo' });
    }
  }
  return { plan, current, record, patch };
}

function planOf({ plan, current, record, patch }: Draft, { arriving, origin, now }: ImportContext) {
  if (plan.line.faults.length > 0) return plan;
  const after = { ...record, ...patch } as CompanyRecord;
  arriving?.companies.add(after.publicId);
  if (after.offices.length > 0) arriving?.offices.set(after.publicId, after.offices);
  if (after.domainKey === null) delete after.domainKey;
  if (!current) return { ...plan, insert: after };
  const { changes, derived } = companyChanges(current, patch);
  if (changes.length === 0 && Object.keys(derived).length === 0) return plan;
  return { ...plan, versions: { record: current, steps: [{ at: now(), origin, changes, derived }] } };
}

const mediaKeys = ['media_public_id', 'memberships'];

const flagWithoutMedia: LineFault = {
  ...fault.missing('media_public_id'),
  message:
    'media_public_id is required: the company is not in any media, so there is nothing to publish or unpublish.',
};

const unpublished = { isPublished: false, isVmePagePublished: false };

/** Applies `media_public_id` and the flags to the line's or else the stored memberships. Undefined if the line has none of these keys. */
function membershipsOf({ own }: Line<'company'>, stored: readonly Membership[]): Membership[] | undefined {
  const {
    memberships,
    media_public_id: named,
    is_published: isPublished,
    is_vme_page_published: isVme,
  } = own;
  if (!memberships && !named && isPublished === undefined && isVme === undefined) return undefined;
  const byMedia = new Map(
    (memberships ?? stored).map(({ media, ...flags }) => [media, { media, ...unpublished, ...flags }]),
  );
  for (const media of named ?? [...byMedia.keys()]) {
    const before = byMedia.get(media) ?? unpublished;
    byMedia.set(media, {
      media,
      isPublished: isPublished ?? before.isPublished,
      isVmePagePublished: isVme ?? before.isVmePagePublished,
    });
  }
  return [...byMedia.values()];
}

/** Adds a fault for each name, domain or id that another company has, in the database or in the files. */
async function addIdentityFaults(drafts: readonly Draft[], { models, identities }: ImportContext) {
  const keys = Object.values(identityKeys);
  const ids = drafts.flatMap(({ plan }) => plan.line.own.id ?? []);
  const holders = await models.companies
    .find(
      {
        $or: [
          ...keys.map((key) => ({ [key]: { $in: drafts.flatMap(({ patch }) => patch[key] ?? []) } })),
          { _id: { $in: ids } },
        ],
      },
      { publicId: 1, nameKey: 1, domainKey: 1 },
    )
    .lean<CompanyRecord[]>();
  const holderOf = new Map<unknown, CompanyRecord>();
  for (const holder of holders) {
    holderOf.set(idKey(holder._id), holder);
    for (const key of keys) holderOf.set(`${key} ${holder[key]}`, holder);
  }
  for (const { plan, current, record, patch } of drafts) {
    const { faults } = plan.line;
    const { id } = plan.line.own;
    const own = id ? [idKey(id)] : [];
    for (const [field, path] of Object.entries(identityKeys)) {
      const value = patch[path];
      if (typeof value !== 'string') continue;
      const key = `${path} ${value}`;
      const holder = holderOf.get(key);
      if (holder ? holder.publicId !== record.publicId : identities.has(key))
        faults.push(taken(snakeCase(field)));
      own.push(key);
    }
    if (id) faults.push(...idConflicts(id, current, holderOf.get(idKey(id)), identities));
    if (faults.length === 0) for (const key of own) identities.add(key);
  }
}

const taken = (field: string): LineFault => ({
  field,
  code: 'company-already-existed',
  message: `${field} must be unique: another company has it.`,
});
