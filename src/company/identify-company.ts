import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../tokens/caller.js';
import { membershipIn, notFound, reachesRecord, reachIn, reachQuery } from '../permissions/reach.rules.js';
import { FieldReader, type Nullable } from '../fields/field-reader.rules.js';
import { readFields } from '../fields/fields.rules.js';
import { type InputOf } from '../fields/row.rules.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { type RecordReader } from '../database/record-reader.js';
import { conflicting } from '../errors/domain-error.js';
import { fieldFault, type FieldFault, isAtFault } from '../errors/field-fault.js';
import { emptySnapshot } from '../fields/reference-snapshot.js';
import { nameKey } from '../text/name-key.rules.js';
import { isMade, type KeyedCall, madeBy } from '../idempotency/keyed-call.js';
import { companyFields, type companyRows, longestName } from './company-fields.rules.js';
import { domainKey, identityKeys } from './company-identity.rules.js';
import { type CompanyRecord } from './company.record.js';

export type IdentifiedFields = InputOf<typeof companyRows> & {
  mediaPublicId: string;
  companyPublicId?: Nullable<string>;
  name?: Nullable<string>;
  domainUrl?: Nullable<string>;
};

/** `identifiedBy` is set only if the domain or the name identified the company. */
export interface IdentifiedCompany {
  company: CompanyRecord;
  identifiedBy?: keyof typeof identityKeys;
}

/** Matches the companies of a media that the caller reaches. */
export const companiesWithinReach = (caller: Caller, mediaPublicId: string): Document =>
  allOf({ 'memberships.media': mediaPublicId }, reachQuery(reachIn(caller, mediaPublicId)));

/**
 * Finds the company of an update: by public id if given, otherwise by domain, then by name. An absent company
 * takes the same commands as one of the media that is out of reach, so response times don't tell them apart.
 * @param call finds the company that an earlier run of the call changed, whatever its name and domain are now
 * @throws DomainError company-already-existed if the domain or name belongs to a company of other media only
 * @throws DomainError company-not-found if no company matches, or unauthorized-limitation if the caller must not learn this
 */
export async function identifyCompany(
  companies: Collection<CompanyRecord>,
  caller: Caller,
  input: IdentifiedFields,
  {
    read: { projection, complete },
    call,
  }: { read: RecordReader<CompanyRecord>; call?: KeyedCall | undefined },
): Promise<IdentifiedCompany> {
  const { mediaPublicId: media, companyPublicId: publicId } = input;
  const reached = companiesWithinReach(caller, media);
  if (publicId) {
    const company = await companies.findOne(allOf({ publicId }, reached), { projection });
    if (!company) throw notFound(caller, media, 'company-not-found');
    return { company: complete(company) };
  }
  let [isInMedia, isElsewhere] = [false, false];
  for (const { identifiedBy, query } of identitiesIn(input)) {
    const within = allOf(query, reached);
    const found = await companies
      .find(call ? { $or: [within, madeBy(call)] } : within, { projection, limit: 2 })
      .toArray();
    const made = found.find((each) => isMade(each, call));
    if (made) {
      if (!membershipIn(made, media) || !reachesRecord(caller, media, made)) break;
      return { company: complete(made) };
    }
    const [company] = found;
    if (company && !isInMedia) return { company: complete(company), identifiedBy };
    const other = await companies.findOne(query, { projection: outOfReach });
    if (other && !membershipIn(other, media)) isElsewhere = true;
    else if (other) isInMedia = true;
  }
  if (isElsewhere && !isInMedia) {
    const identifiers = identitiesIn(input).map(({ identifiedBy }) => identifiedBy);
    throw conflicting('company-already-existed', identifiers);
  }
  throw notFound(caller, media, 'company-not-found');
}

/** The paths that say whether a company out of reach is the one that is meant. */
const outOfReach = projectionOf(['memberships.media']);

/** In UTF-16 units. No stored name is longer, so don't compute the comparison key of a longer text. */
const mostNameUnits = 4 * longestName;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function identitiesIn({ domainUrl, name }: IdentifiedFields) {
  const keys = {
    domainUrl: isText(domainUrl) && domainKey(domainUrl),
    name: isText(name) && name.length <= mostNameUnits && nameKey(name),
  };
  return (['domainUrl', 'name'] as const).flatMap((identifiedBy) => {
    const key = keys[identifiedBy];
    return key ? [{ identifiedBy, query: { [identityKeys[identifiedBy]]: key } }] : [];
  });
}

/** The faults of an update that does not identify its media or its company. */
export function identifierFaults(
  input: IdentifiedFields,
  parseFaults: readonly FieldFault[] = [],
): FieldFault[] {
  const found = (...names: string[]) => parseFaults.filter(({ field }) => names.includes(field));
  const faults = found('mediaPublicId', 'companyPublicId');
  if (!input.mediaPublicId && !isAtFault(parseFaults, 'mediaPublicId'))
    faults.push(fieldFault.missing('mediaPublicId'));
  const { companyPublicId } = input;
  if (isAtFault(parseFaults, 'companyPublicId')) return faults;
  if (companyPublicId || identitiesIn(input).length > 0) {
    const reader = new FieldReader(faults);
    if (companyPublicId !== undefined) reader.present('companyPublicId', companyPublicId);
    return reader.faults;
  }
  // Report a domain or name that could not be parsed. If neither was given, report the public id as missing.
  const reader = new FieldReader(found('domainUrl', 'name'));
  const identity = { name: input.name || undefined, domainUrl: input.domainUrl || undefined };
  readFields(companyFields, identity, { record: {}, snapshot: emptySnapshot, reader });
  return [...faults, ...(reader.faults.length > 0 ? reader.faults : [fieldFault.missing('companyPublicId')])];
}
