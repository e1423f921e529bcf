import { type Types } from 'mongoose';
import { type Language, type LocalisedText } from '../errors/catalogue.js';

/** The classifications of jobs and companies, with what they classify. */
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
  /** The place among the references of its kind, set by an import. Absent or null if its name decides. */
  rank?: number | null;
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

/** As in `1,000 to 4,999`. */
const leadingNumber = /^\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?/;

/** By rank, then by the number that the English name begins with, then by name. */
function placeOf({ rank, name }: ReferenceRecord): readonly [number, number] {
  if (rank != null) return [0, rank];
  const [, whole, decimals = ''] = leadingNumber.exec(name.en) ?? [];
  return whole === undefined ? [2, 0] : [1, Number(whole.replaceAll(',', '') + decimals)];
}

/** Both have the name's own numbers in order: "Bac+2", "Bac+10". */
const collators = {
  en: new Intl.Collator('en', { numeric: true }),
  fr: new Intl.Collator('fr', { numeric: true }),
};

function inOrder(records: readonly ReferenceRecord[], language: Language): ReferenceRecord[] {
  const placed = records.map((record) => ({ record, place: placeOf(record), name: record.name[language] }));
  placed.sort(
    (one, other) =>
      one.place[0] - other.place[0] ||
      one.place[1] - other.place[1] ||
      collators[language].compare(one.name, other.name) ||
      (one.record.publicId < other.record.publicId ? -1 : 1),
  );
  return placed.map(({ record }) => record);
}

/** A snapshot of all reference records. */
export class ReferenceSnapshot {
  private readonly byPublicId = new Map<string, ReferenceRecord>();
  private readonly byHexId = new Map<string, ReferenceRecord>();
  private readonly byKind = new Map<ReferenceKind, ReferenceRecord[]>();
  private readonly sorted = new Map<string, readonly ReferenceRecord[]>();

  constructor(records: readonly ReferenceRecord[]) {
    for (const kind of referenceKinds) this.byKind.set(kind, []);
    for (const record of records) {
      this.byKind.get(record.kind)?.push(record);
      this.byPublicId.set(key(record.kind, record.publicId), record);
      this.byHexId.set(record._id.toHexString(), record);
    }
  }

  /** A string is a public id, or a 24-hex id in any case; the public id wins. An `ObjectId` matches only `_id`. */
  find(kind: ReferenceKind, id: string | Types.ObjectId): ReferenceRecord | undefined {
    const byPublicId = typeof id === 'string' ? this.byPublicId.get(key(kind, id)) : undefined;
    const record =
      byPublicId ?? this.byHexId.get(typeof id === 'string' ? id.toLowerCase() : id.toHexString());
    return record?.kind === kind ? record : undefined;
  }

  count(kind: ReferenceKind): number {
    return this.byKind.get(kind)?.length ?? 0;
  }

  /** In the order of {@link placeOf}, and by name in the language. */
  list(kind: ReferenceKind, language: Language): readonly ReferenceRecord[] {
    const found = this.sorted.get(`${kind} ${language}`) ?? inOrder(this.byKind.get(kind) ?? [], language);
    this.sorted.set(`${kind} ${language}`, found);
    return found;
  }
}

/** A text from a request, or the id in a stored record. `kind` is the kind that the field takes. */
export interface ReferenceNeed<Id = string | Types.ObjectId> {
  kind: ReferenceKind;
  id: Id;
}

export interface ReferenceReader {
  /** At most 1 s old, and with the needed references, if they exist. */
  read(needs?: readonly ReferenceNeed[]): Promise<ReferenceSnapshot>;
  /** The same for ids in stored records, whose reference can have been removed. */
  readStored(needs: readonly ReferenceNeed<Types.ObjectId>[]): Promise<ReferenceSnapshot>;
}

const key = (kind: ReferenceKind, id: string): string => `${kind}:${id}`;

/** For fields that refer to no record. */
export const emptySnapshot = new ReferenceSnapshot([]);
