import { Types } from 'mongoose';
import { changesOf } from '../../fields/fields.rules.js';
import { type ReferenceRecord } from '../../fields/reference-snapshot.js';
import { mostMonths, schemaOrgValues } from '../../job/schema-org.rules.js';
import { fault, type Line, type LineFault, missingWhenNew } from '../read-line.js';
import { type Arriving, type Plan, type Planner } from './plan.js';

/** Needs all reference lines at once: a category's line is valid only if the lines of its parents are valid. */
export const planReferences: Planner<'reference'> = async (lines, { models, arriving }) => {
  const stored = await models.references.find().lean<ReferenceRecord[]>();
  const byId = new Map(stored.map((reference) => [keyOf(reference.kind, reference.publicId), reference]));
  const byObjectId = new Map(stored.map((reference) => [reference._id.toHexString(), reference]));
  const referenceOf = ({ own }: Line<'reference'>) => byId.get(keyOf(own.type, own.public_id));
  const ids = new Set<string>();
  for (const line of lines) {
    const { type, id, parent_public_id: parent } = line.own;
    const reference = referenceOf(line);
    if (!reference) line.faults.push(...missingWhenNew('reference', line));
    if (id) line.faults.push(...idConflicts(id, reference, byObjectId.get(id.toHexString()), ids));
    if (parent && type !== 'job_category') line.faults.push(parentOfOther);
    line.faults.push(...schemaOrgFaults(line.own));
    if (id && line.faults.length === 0) ids.add(idKey(id));
  }
  addParentFaults(lines, stored);
  return lines.map((line) => planOne(line, referenceOf(line), arriving));
};

/**
 * Adds faults for missing parents and for cycles. A parent is stored, or comes from a line without faults. Repeats until no line gets a
 * new fault: the categories below a faulty line can lose their parent.
 */
function addParentFaults(lines: readonly Line<'reference'>[], stored: readonly ReferenceRecord[]): void {
  const categories = lines.filter(({ own }) => own.type === 'job_category');
  const storedParents = stored.flatMap(({ kind, publicId, parent }) =>
    kind === 'job_category' ? [[publicId, parent ?? null] as const] : [],
  );
  for (;;) {
    const parents = new Map<string, string | null>(storedParents);
    for (const { own, faults } of categories) {
      const { public_id: publicId, parent_public_id: parent } = own;
      if (faults.length > 0 || !publicId) continue;
      // Without the key, a stored category keeps its parent.
      if (parent !== undefined || !parents.has(publicId)) parents.set(publicId, parent ?? null);
    }
    const found = categories.flatMap(({ own, faults }) => {
      const isKnown = faults.includes(noParent) || faults.includes(parentBelow);
      const parentFault = isKnown ? undefined : parentFaultOf(own, parents);
      return parentFault ? [{ faults, parentFault }] : [];
    });
    if (found.length === 0) return;
    for (const { faults, parentFault } of found) faults.push(parentFault);
  }
}

/** @param parents the parent of each category after the import */
function parentFaultOf(
  { public_id: publicId, parent_public_id: parent }: Line<'reference'>['own'],
  parents: ReadonlyMap<string, string | null>,
): LineFault | undefined {
  if (!parent) return undefined;
  if (parent === publicId) return parentBelow;
  if (!parents.has(parent)) return noParent;
  const seen = new Set<string>();
  // `seen` ends the loop if stored records form a cycle.
  let above: string | null = parent;
  while (above !== null && !seen.has(above)) {
    if (above === publicId) return parentBelow;
    seen.add(above);
    above = parents.get(above) ?? null;
  }
  return undefined;
}

const noParent = fault.notFound('parent_public_id', 'such job_category');

const parentBelow = fault.mustBe('parent_public_id', 'a job_category other than this one and those below it');

const parentOfOther = fault.mustBe('parent_public_id', 'left out: only a job_category has a parent');

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
  const { type, public_id: publicId, id, name, parent_public_id: parent, schema_org: schemaOrg } = line.own;
  const plan: Plan<'reference'> = { line, warnings: [] };
  if (line.faults.length > 0 || !type || !publicId) return plan;
  const values = {
    ...(name && { name }),
    ...(parent !== undefined && { parent }),
    ...(schemaOrg !== undefined && { schemaOrg }),
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
