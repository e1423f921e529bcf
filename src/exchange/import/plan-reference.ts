import { Types } from 'mongoose';
import { changesOf } from '../../fields/fields.rules.js';
import { type ReferenceRecord } from '../../fields/reference-snapshot.js';
import { mostMonths, schemaOrgValues } from '../../job/schema-org.rules.js';
import { fault, type Line, type LineFault, missingWhenNew } from '../read-line.js';
import { type Arriving, type Plan, type Planner } from './plan.js';

/** Needs all reference lines at once: an id must be unique among them. No caller sees the parent of a category, so nothing checks it. */
export const planReferences: Planner<'reference'> = async (lines, { models, arriving }) => {
  const stored = await models.references.find().lean<ReferenceRecord[]>();
  const byId = new Map(stored.map((reference) => [keyOf(reference.kind, reference.publicId), reference]));
  const byObjectId = new Map(stored.map((reference) => [reference._id.toHexString(), reference]));
  const ids = new Set<string>();
  return lines.map((line) => {
    const { type, public_id: publicId, id } = line.own;
    const reference = byId.get(keyOf(type, publicId));
    if (!reference) line.faults.push(...missingWhenNew('reference', line));
    if (id) line.faults.push(...idConflicts(id, reference, byObjectId.get(id.toHexString()), ids));
    line.faults.push(...schemaOrgFaults(line.own));
    if (id && line.faults.length === 0) ids.add(idKey(id));
    return planOne(line, reference, arriving);
  });
};

function schemaOrgFaults({ type, schema_org: properties }: Line<'reference'>['own']): LineFault[] {
  if (!type || properties == null) return [];
  const taken = schemaOrgValues[type] ?? [];
  if (taken === 'months')
    return typeof properties === 'number'
      ? []
      : [fault.mustBe('schema_org', `months of experience, a whole number from 0 to ${mostMonths}`)];
  if (taken.includes(String(properties))) return [];
  const expected = taken.length > 0 ? `one of ${taken.join(', ')}` : `left out: a ${type} has none`;
  return [fault.mustBe('schema_org', expected)];
}

function planOne(line: Line<'reference'>, reference: ReferenceRecord | undefined, arriving: Arriving | null) {
  const {
    type,
    public_id: publicId,
    id,
    name,
    parent_public_id: parent,
    schema_org: schemaOrg,
    rank,
  } = line.own;
  const plan: Plan<'reference'> = { line, warnings: [] };
  if (line.faults.length > 0 || !type || !publicId) return plan;
  const values = {
    ...(name && { name }),
    ...(parent !== undefined && { parent }),
    ...(schemaOrg !== undefined && { schemaOrg }),
    ...(rank !== undefined && { rank }),
  };
  if (reference)
    return changesOf(reference, values).length > 0 ? { ...plan, set: { id: reference._id, values } } : plan;
  const blank = { _id: id ?? new Types.ObjectId(), kind: type, publicId, parent: null };
  const record = { ...blank, ...values } as ReferenceRecord;
  arriving?.references.push(record);
  return { ...plan, insert: record };
}

const keyOf = (kind: string | undefined, publicId: string | undefined): string =>
  `${kind ?? ''}:${publicId ?? ''}`;

export const idKey = (id: Types.ObjectId): string => `id ${id.toHexString()}`;

/** @param arriving the keys of earlier lines */
export function idConflicts(
  id: Types.ObjectId,
  own: { _id: Types.ObjectId } | undefined,
  holder: { _id: Types.ObjectId } | undefined,
  arriving: ReadonlySet<string>,
): LineFault[] {
  if (own)
    return own._id.equals(id)
      ? []
      : [fault.mustBe('id', `${own._id.toHexString()}, the id of the stored record: ids never change`)];
  return holder || arriving.has(idKey(id)) ? [fault.mustBe('id', 'unique: another record has it')] : [];
}
