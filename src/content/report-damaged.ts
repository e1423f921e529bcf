/**
 * Reports a record that another program has damaged, and that is skipped.
 * @param kind of the record, such as `job`
 */
export type ReportDamaged = (kind: string, publicId: string, why: Error) => void;
