import { type ReferenceKind, type ReferenceRecord } from './reference.model.js';

/** A snapshot of all reference records, in which they are found by 24-hex id or public id without a query. */
export class ReferenceBook {
  private readonly byKey = new Map<string, ReferenceRecord>();

  constructor(private readonly records: readonly ReferenceRecord[]) {
    // Public ids are added last: if one looks like the 24-hex id of another record, the public id wins.
    for (const record of records) this.byKey.set(key(record.kind, record._id.toHexString()), record);
    for (const record of records) this.byKey.set(key(record.kind, record.publicId), record);
  }

  /** The record of this kind with this 24-hex or public id (Contract 4.1.4). */
  find(kind: ReferenceKind, id: string): ReferenceRecord | undefined {
    return this.byKey.get(key(kind, id)) ?? this.byKey.get(key(kind, id.toLowerCase()));
  }

  /** All records of a kind, by public id. */
  list(kind: ReferenceKind): readonly ReferenceRecord[] {
    return this.records.filter((record) => record.kind === kind);
  }
}

const key = (kind: ReferenceKind, id: string): string => `${kind}:${id}`;
