import { Types } from 'mongoose';
import { changesOf } from '../../history/changes.rules.js';
import { type ReferenceRecord } from '../../reference/reference.model.js';
import { fault, type LineFault, missingWhenNew } from '../read-line.js';
import { type ImportContext, type Plan, type Planner } from './plan.js';

export const planReferences: Planner<'reference'> = async (lines, { models, arriving, hasLine }) => {
  const stored = await models.references.find().lean<ReferenceRecord[]>();
  const byId = new Map(stored.map((reference) => [keyOf(reference), reference]));
  const byObjectId = new Map(stored.map((reference) => [reference._id.toHexString(), reference]));
  return lines.map((line): Plan<'reference'> => {
    const { type, public_id: publicId, id, name, parent_public_id: parent } = line.own;
    const plan: Plan<'reference'> = { line, faults: line.faults, warnings: [] };
    const reference = byId.get(`${type}:${publicId}`);
    if (!reference) plan.faults.push(...missingWhenNew('reference', line));
    if (id) plan.faults.push(...idFaults(id, reference, byObjectId.get(id.toHexString()), arriving));
    if (parent && type !== 'job_category')
      plan.faults.push({
        field: 'parent_public_id',
        code: 'parent_public_id-format-error',
        message: 'parent_public_id must be left out: only a job_category has one.',
      });
    else if (parent && !byId.has(`job_category:${parent}`) && !hasLine('reference', 'job_category', parent))
      plan.faults.push(fault.notFound('parent_public_id', 'such job_category'));
    if (plan.faults.length > 0 || !type || !publicId) return plan;
    const values = { ...(name && { name }), ...(parent !== undefined && { parent }) };
    const record = {
      _id: reference?._id ?? id ?? new Types.ObjectId(),
      ...{ kind: type, publicId, parent: null, ...reference, ...values },
    } as ReferenceRecord;
    if (!reference) {
      arriving?.references.push(record);
      return { ...plan, insert: record };
    }
    return changesOf(reference, values).length > 0 ? { ...plan, set: { id: reference._id, values } } : plan;
  });
};

const keyOf = ({ kind, publicId }: ReferenceRecord): string => `${kind}:${publicId}`;

/** The faults of an id: the id of a stored record never changes, and no two records have the same one. */
export function idFaults(
  id: Types.ObjectId,
  own: { _id: Types.ObjectId } | undefined,
  holder: { _id: Types.ObjectId } | undefined,
  arriving: ImportContext['arriving'],
): LineFault[] {
  const message = own
    ? own._id.equals(id)
      ? null
      : `id must be ${own._id.toHexString()}, which the stored record has: ids never change.`
    : holder || arriving?.identities.add(`id ${id.toHexString()}`) === false
      ? 'id must be one that no other record has.'
      : null;
  return message === null ? [] : [{ field: 'id', code: 'id-format-error', message }];
}
