import { type Types } from 'mongoose';
import { type LocalisedText } from '../errors/catalogue.js';

/** The classifications that jobs and companies point to (Contract 2.4). */
export const referenceKinds = [
  'contract',
  'worktime',
  'remote',
  'education',
  'experience',
  'size',
  'sector',
  'job_category',
] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export interface ReferenceRecord {
  _id: Types.ObjectId;
  kind: ReferenceKind;
  /** Readable and unique within its kind, such as `permanent`. Never changes. */
  publicId: string;
  name: LocalisedText;
  /** Public id of the parent category. Only a job category can have a parent. */
  parent: string | null;
  /**
   * The schema.org term for this record, or the number of months for an experience. Absent or null if schema.org has no term
   * (Contract 2.4.4).
   */
  schemaOrg?: string | number | null;
}

/** A snapshot of all reference records. Finds a record by its 24-hex id or its public id, without a query. */
export class ReferenceBook {
  private readonly byPublicId = new Map<string, ReferenceRecord>();
  private readonly byHexId = new Map<string, ReferenceRecord>();

  constructor(private readonly records: readonly ReferenceRecord[]) {
    for (const record of records) {
      this.byPublicId.set(key(record.kind, record.publicId), record);
      this.byHexId.set(record._id.toHexString(), record);
    }
  }

  /**
   * Finds a record of this kind by id (Contract 4.1.4.1). A string is a public id, or a 24-hex id in upper or lower case. If
   * the string matches both, the public id wins. An `ObjectId` matches only a record's `_id`.
   */
  find(kind: ReferenceKind, id: string | Types.ObjectId): ReferenceRecord | undefined {
    const byPublicId = typeof id === 'string' ? this.byPublicId.get(key(kind, id)) : undefined;
    const record =
      byPublicId ?? this.byHexId.get(typeof id === 'string' ? id.toLowerCase() : id.toHexString());
    return record?.kind === kind ? record : undefined;
  }

  /** All records of a kind, in the order given to the constructor. */
  list(kind: ReferenceKind): readonly ReferenceRecord[] {
    return this.records.filter((record) => record.kind === kind);
  }
}

const key = (kind: ReferenceKind, id: string): string => `${kind}:${id}`;

/** For fields that refer to no record. */
export const emptyBook = new ReferenceBook([]);
