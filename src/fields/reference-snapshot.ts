import { type Types } from 'mongoose';
import { type Language, type LocalisedText } from '../errors/catalogue.js';

/** The classifications of jobs and companies (Contract 2.4.1), with what they classify. */
export const describedKinds = {
  contract: 'Kind of contract.',
  worktime: 'Work time.',
  remote: 'Remote-work policy.',
  education: 'Required education.',
  experience: 'Required experience.',
  size: 'Size of a company.',
  sector: 'Sector of a company.',
  job_category: 'Job category. Can be part of a wider category.',
};
export type ReferenceKind = keyof typeof describedKinds;
export const referenceKinds = Object.keys(describedKinds) as readonly ReferenceKind[];

export interface ReferenceRecord {
  _id: Types.ObjectId;
  kind: ReferenceKind;
  /** Unique within its kind, such as `permanent`. Never changes. */
  publicId: string;
  name: LocalisedText;
  /** Public id of the parent; only a job category can have a parent. */
  parent: string | null;
  /** The schema.org term, or the number of months for an experience. Absent or null if schema.org has no term. */
  schemaOrg?: string | number | null;
}

/** `schemaOrg` is for the posting of a job. */
export const toReference = (
  { _id, publicId, name, parent, schemaOrg = null }: ReferenceRecord,
  language: Language,
) => ({
  id: _id.toHexString(),
  publicId,
  name: name[language],
  names: name,
  parentPublicId: parent,
  schemaOrg,
});

export type ReferenceView = Omit<ReturnType<typeof toReference>, 'schemaOrg'>;
/** The GraphQL type has no `schemaOrg`. */
export type PostedReference = ReferenceView & Partial<ReturnType<typeof toReference>>;

/** A snapshot of all reference records. */
export class ReferenceSnapshot {
  private readonly byPublicId = new Map<string, ReferenceRecord>();
  private readonly byHexId = new Map<string, ReferenceRecord>();

  constructor(private readonly records: readonly ReferenceRecord[]) {
    for (const record of records) {
      this.byPublicId.set(key(record.kind, record.publicId), record);
      this.byHexId.set(record._id.toHexString(), record);
    }
  }

  /** A string is a public id, or a 24-hex id in any case; the public id wins (Contract 4.1.4.1). An `ObjectId` matches only `_id`. */
  find(kind: ReferenceKind, id: string | Types.ObjectId): ReferenceRecord | undefined {
    const byPublicId = typeof id === 'string' ? this.byPublicId.get(key(kind, id)) : undefined;
    const record =
      byPublicId ?? this.byHexId.get(typeof id === 'string' ? id.toLowerCase() : id.toHexString());
    return record?.kind === kind ? record : undefined;
  }

  list(kind: ReferenceKind): ReferenceRecord[] {
    return this.records.filter((record) => record.kind === kind);
  }
}

const key = (kind: ReferenceKind, id: string): string => `${kind}:${id}`;

/** For fields that refer to no record. */
export const emptySnapshot = new ReferenceSnapshot([]);
