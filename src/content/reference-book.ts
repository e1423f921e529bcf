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
  /** Readable, unique within its kind and never changed, such as `permanent`. */
  publicId: string;
  name: LocalisedText;
  /** Public id of the wider job category that this one belongs to; only job categories have one. */
  parent: string | null;
  /** What schema.org calls it, or its months of experience; nothing where it has no word for it (Contract 2.4.4). */
  schemaOrg?: string | number | null;
}

/** A snapshot of all reference records, in which they are found by 24-hex id or public id without a query. */
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
   * The record of this kind with this id (Contract 4.1.4.1). A text may be a public id, which wins where another record has it
   * as its 24-hex id, or a 24-hex id in whatever case. The id that a record stores is never taken for a public id.
   */
  find(kind: ReferenceKind, id: string | Types.ObjectId): ReferenceRecord | undefined {
    const byPublicId = typeof id === 'string' ? this.byPublicId.get(key(kind, id)) : undefined;
    const record =
      byPublicId ?? this.byHexId.get(typeof id === 'string' ? id.toLowerCase() : id.toHexString());
    return record?.kind === kind ? record : undefined;
  }

  /** All records of a kind, by public id. */
  list(kind: ReferenceKind): readonly ReferenceRecord[] {
    return this.records.filter((record) => record.kind === kind);
  }
}

const key = (kind: ReferenceKind, id: string): string => `${kind}:${id}`;

/** For what refers to no record. */
export const emptyBook = new ReferenceBook([]);
