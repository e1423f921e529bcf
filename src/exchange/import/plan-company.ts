import { Types } from 'mongoose';
import { companyFields, type CompanyFields } from '../../company/company-fields.rules.js';
import { companyChanges } from '../../company/company-update.rules.js';
import { type CompanyRecord, type Membership } from '../../company/company.model.js';
import { FieldReader } from '../../content/field-reader.rules.js';
import { readFields } from '../../content/fields.rules.js';
import { type Patch } from '../../history/changes.rules.js';
import { withoutHistory } from '../../history/versioned-records.js';
import { ReferenceBook } from '../../reference/reference-book.js';
import { type ReferenceRecord } from '../../reference/reference.model.js';
import { fault, type Line, type LineFault, missingWhenNew } from '../read-line.js';
import { readEmbeddedLogo } from './embedded-logo.js';
import { idFaults } from './plan-reference.js';
import { type ImportContext, type Plan, type Planner } from './plan.js';

/** A company of which only its public id is known: what the model has for all else. */
const freshCompany = (publicId: string, createdBy: string): Omit<CompanyRecord, 'nameKey'> => ({
  _id: new Types.ObjectId(),
  publicId,
  name: '',
  domainUrl: null,
  brand: null,
  memberships: [],
  offices: [],
  size: null,
  sectors: [],
  description: null,
  language: 'fr',
  logo: null,
  createdBy,
  version: 1,
  pendingHistory: [],
});

export const planCompanies: Planner<'company'> = async (lines, context) => {
  const { models, origin } = context;
  const ids = lines.flatMap(({ own }) => own.public_id ?? []);
  const stored = await models.companies
    .find({ publicId: { $in: ids } }, withoutHistory)
    .lean<CompanyRecord[]>();
  const byId = new Map(stored.map((company) => [company.publicId, company]));
  const book = await readBook(context);
  const media = await readMedia(context);
  const plans: Plan<'company'>[] = [];
  const patches: Patch[] = [];
  for (const line of lines) {
    const current = byId.get(line.own.public_id ?? '');
    const record = current ?? freshCompany(line.own.public_id ?? '', origin.actor);
    const { plan, patch } = await planOne(line, { current, record, book, media, context });
    plans.push(plan);
    patches.push(patch);
  }
  await addIdentityFaults(plans, patches, byId, context);
  return plans.map((plan, index) => {
    if (plan.faults.length > 0) return plan;
    const { public_id: publicId = '', id } = plan.line.own;
    const current = byId.get(publicId);
    const patch = patches[index] ?? {};
    const record = current ?? freshCompany(publicId, origin.actor);
    const after = { ...record, ...(id && !current && { _id: id }), ...patch } as CompanyRecord;
    arrive(after, context);
    if (!current) return { ...plan, insert: after };
    const { changes, derived } = companyChanges(current, patch);
    if (changes.length === 0 && Object.keys(derived).length === 0) return plan;
    return {
      ...plan,
      versions: { record: current, steps: [{ at: context.now(), origin, changes, derived }] },
    };
  });
};

interface Known {
  current: CompanyRecord | undefined;
  record: Omit<CompanyRecord, 'nameKey'>;
  book: ReferenceBook;
  media: ReadonlySet<string>;
  context: ImportContext;
}

/** What the line would store, as far as it depends on no other company. */
async function planOne(
  line: Line<'company'>,
  { current, record, book, media, context }: Known,
): Promise<{ plan: Plan<'company'>; patch: Patch }> {
  const reader = new FieldReader([]);
  const { logoUrl, ...fields } = line.fields as CompanyFields;
  const isUrlRead = logoUrl != null && line.own.logo == null;
  if (logoUrl != null && !isUrlRead) reader.warn('logo-url-ignored', 'logoUrl');
  const patch = readFields(companyFields, isUrlRead ? { ...fields, logoUrl } : fields, {
    record,
    book,
    reader,
  });
  const { own, faults } = line;
  if (own.brand !== undefined) patch.brand = own.brand;
  if (own.language) patch.language = own.language;
  if (own.created_by) patch.createdBy = own.created_by;
  if (own.offices)
    patch.offices = own.offices.map(({ id, public_id: publicId, name }) => ({
      _id: id ?? record.offices.find((office) => office.publicId === publicId)?._id ?? new Types.ObjectId(),
      publicId,
      name,
    }));
  const memberships = membershipsOf(line, record.memberships);
  if (memberships) patch.memberships = memberships;
  const plan: Plan<'company'> = { line, faults, warnings: reader.warnings };
  faults.push(...reader.faults.map(fault.fromRules));
  if (memberships?.some((membership) => !media.has(membership.media)))
    faults.push(fault.notFound(own.memberships ? 'memberships' : 'media_public_id', 'such media'));
  if (!current) faults.push(...missingWhenNew('company', line));
  if (own.logo === null) patch.logo = null;
  else if (own.logo) {
    const read = await readEmbeddedLogo(own.logo, context.areLogosChecked);
    if ('fault' in read) faults.push(read.fault);
    else {
      patch.logo = { kind: 'file', hash: read.image.hash };
      plan.logo = read.image;
    }
  }
  return { plan, patch };
}

/** The list of the line, else the stored one, with the place in the media that the line names beside it. */
function membershipsOf({ own }: Line<'company'>, stored: readonly Membership[]): Membership[] | undefined {
  const {
    memberships,
    media_public_id: named,
    is_published: isPublished,
    is_vme_page_published: isVme,
  } = own;
  if (!memberships && !named && isPublished === undefined && isVme === undefined) return undefined;
  const byMedia = new Map(
    (
      memberships?.map((given) => ({
        media: given.media_public_id,
        isPublished: given.is_published ?? false,
        isVmePagePublished: given.is_vme_page_published ?? false,
      })) ?? stored
    ).map((membership) => [membership.media, membership]),
  );
  for (const media of named ?? [...byMedia.keys()]) {
    const before = byMedia.get(media) ?? { media, isPublished: false, isVmePagePublished: false };
    byMedia.set(media, {
      media,
      isPublished: isPublished ?? before.isPublished,
      isVmePagePublished: isVme ?? before.isVmePagePublished,
    });
  }
  return [...byMedia.values()];
}

/** A name, a domain and an id belong to one company, in the database as in the file. */
async function addIdentityFaults(
  plans: readonly Plan<'company'>[],
  patches: readonly Patch[],
  byId: ReadonlyMap<string, CompanyRecord>,
  { models, arriving }: ImportContext,
): Promise<void> {
  const values = (key: 'nameKey' | 'domainKey') => patches.flatMap((patch) => (patch[key] as string) ?? []);
  const ids = plans.flatMap(({ line }) => line.own.id ?? []);
  const holders = await models.companies
    .find(
      {
        $or: [
          { nameKey: { $in: values('nameKey') } },
          { domainKey: { $in: values('domainKey') } },
          { _id: { $in: ids } },
        ],
      },
      { publicId: 1, nameKey: 1, domainKey: 1 },
    )
    .lean<CompanyRecord[]>();
  const holderOf = new Map<unknown, CompanyRecord>();
  for (const holder of holders) {
    holderOf.set(`id ${holder._id.toHexString()}`, holder);
    holderOf.set(`nameKey ${holder.nameKey}`, holder);
    if (holder.domainKey) holderOf.set(`domainKey ${holder.domainKey}`, holder);
  }
  plans.forEach(({ line, faults }, index) => {
    const { public_id: publicId = '', id } = line.own;
    const patch = patches[index] ?? {};
    for (const [key, field] of identityKeys) {
      const value = patch[key];
      if (typeof value !== 'string') continue;
      const holder = holderOf.get(`${key} ${value}`);
      const isTaken = holder
        ? holder.publicId !== publicId
        : arriving?.identities.add(`${key} ${value}`) === false;
      if (isTaken) faults.push(taken(field));
    }
    if (id)
      faults.push(...idFaults(id, byId.get(publicId), holderOf.get(`id ${id.toHexString()}`), arriving));
  });
}

const identityKeys = [
  ['nameKey', 'name'],
  ['domainKey', 'domain_url'],
] as const;

const taken = (field: string): LineFault => ({
  field,
  code: 'company-already-existed',
  message: `${field} must be one that no other company has.`,
});

function arrive({ publicId, offices }: CompanyRecord, { arriving }: ImportContext): void {
  arriving?.companies.add(publicId);
  if (offices.length > 0) arriving?.offices.set(publicId, offices);
}

/** The reference records, with those that the file brings. */
export async function readBook({ models, arriving }: ImportContext): Promise<ReferenceBook> {
  const stored = await models.references.find().lean<ReferenceRecord[]>();
  return new ReferenceBook([...stored, ...(arriving?.references ?? [])]);
}

/** The public ids of the media, with those that the file brings. */
export async function readMedia({ models, arriving }: ImportContext): Promise<ReadonlySet<string>> {
  const stored = await models.media.find({}, { publicId: 1 }).lean();
  return new Set([...stored.map(({ publicId }) => publicId), ...(arriving?.media ?? [])]);
}
