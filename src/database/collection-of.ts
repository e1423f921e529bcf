import { type Collection, type Model } from 'mongoose';

/**
 * The driver's collection of a model. Services query through the driver: request values are already checked, and casting them
 * again in Mongoose costs half as much as the database command itself. Tasks and CLI commands query the model with `lean()`, and
 * use the driver only for `inPages` and for bulk writes that count each rejected document.
 */
export const collectionOf = <Stored extends object>({ collection }: Model<Stored>): Collection<Stored> =>
  collection as unknown as Collection<Stored>;
