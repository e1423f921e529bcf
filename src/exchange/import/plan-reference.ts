import { Types } from 'mongoose';
import { changesOf } from '../../history/changes.rules.js';
import { type ReferenceRecord } from '../../reference/reference.model.js';
import { fault, type Line, type LineFault, missingWhenNew } from '../read-line.js';
import { KeySet } from './key-set.js';
import { type Arriving, type Plan, type Planner } from './plan.js';

/** Needs all lines of references at once: whether one can be written depends on the lines of those above it. */
export const planReferences: Planner<'reference'> = async (lines, { models, arriving }) => {
  const stored = await models.references.find().lean<ReferenceRecord[]>();
  const byId = new Map(stored.map((reference) => [keyOf(reference.kind, reference.publicId), reference]));
  const byObjectId = new Map(stored.map((reference) => [reference._id.toHexString(), reference]));
  const referenceOf = ({ own }: Line<'reference'>) => byId.get(keyOf(own.type, own.public_id));
  const ids = new KeySet();
  for (const line of lines) {
    const { type, id, parent_public_id: parent } = line.own;
    const reference = referenceOf(line);
    if (!reference) line.faults.push(...missingWhenNew('reference', line));
    if (id) line.faults.push(...idFaults(id, reference, byObjectId.get(id.toHexString()), ids));
    if (parent && type !== 'job_category') line.faults.push(parentOfOther);
    if (id && line.faults.length === 0) ids.add(idKey(id));
  }
  addParentFaults(lines, (parent) => byId.has(keyOf('job_category', parent)));
  return lines.map((line) => planOne(line, referenceOf(line), arriving));
};

/** A line without its parent is faulty, and so are those below it, which would be left without theirs. */
function addParentFaults(lines: readonly Line<'reference'>[], isStored: (parent: string) => boolean): void {
  const children = lines.filter(({ own }) => own.type === 'job_category' && own.parent_public_id);
  const isGood = ({ own, faults }: Line<'reference'>) => own.type === 'job_category' && faults.length === 0;
  for (;;) {
    const good = new Set(lines.filter(isGood).map(({ own }) => own.public_id));
    const orphans = children.filter(
      ({ own: { parent_public_id: parent }, faults }) =>
        parent && !isStored(parent) && !good.has(parent) && !faults.includes(noParent),
    );
    if (orphans.length === 0) return;
    for (const { faults } of orphans) faults.push(noParent);
  }
}

const noParent = fault.notFound('parent_public_id', 'such job_category');

const parentOfOther: LineFault = {
  field: 'parent_public_id',
  code: 'parent_public_id-format-error',
  message: 'parent_public_id must be left out: only a job_category has one.',
};

function planOne(
  line: Line<'reference'>,
  reference: ReferenceRecord | undefined,
  arriving: Arriving | null,
): Plan<'reference'> {
  const { type, public_id: publicId, id, name, parent_public_id: parent } = line.own;
  const plan: Plan<'reference'> = { line, warnings: [] };
  if (line.faults.length > 0 || !type || !publicId) return plan;
  const values = { ...(name && { name }), ...(parent !== undefined && { parent }) };
  if (reference)
    return changesOf(reference, values).length > 0 ? { ...plan, set: { id: reference._id, values } } : plan;
  const record = {
    ...{ _id: id ?? new Types.ObjectId(), kind: type, publicId, parent: null },
    ...values,
  } as ReferenceRecord;
  arriving?.references.push(record);
  return { ...plan, insert: record };
}

const keyOf = (kind: string | undefined, publicId: string | undefined): string =>
  `${kind ?? ''}:${publicId ?? ''}`;

/** The id of a record as a key of what comes once only. */
export const idKey = (id: Types.ObjectId): string => `id ${id.toHexString()}`;

/**
 * The faults of an id: the id of a stored record never changes, and no two records have the same one.
 * @param arriving the keys of what earlier lines bring
 */
export function idFaults(
  id: Types.ObjectId,
  own: { _id: Types.ObjectId } | undefined,
  holder: { _id: Types.ObjectId } | undefined,
  arriving: KeySet | undefined,
): LineFault[] {
  const message = own
    ? own._id.equals(id)
      ? null
      : `id must be ${own._id.toHexString()}, which the stored record has: ids never change.`
    : holder || arriving?.has(idKey(id))
      ? 'id must be one that no other record has.'
      : null;
  return message === null ? [] : [{ field: 'id', code: 'id-format-error', message }];
}
