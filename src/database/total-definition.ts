import { type SchemaDefinition } from 'mongoose';

/** A path for every field of a record: Mongoose would drop a field without one, and say nothing. */
export type TotalDefinition<Stored> = Required<SchemaDefinition<Omit<Stored, '_id'>>>;
