import { type Collection, type Model } from 'mongoose';

/**
 * Services query through the driver: request values are already checked, and casting them again in Mongoose costs half as much as the
 * database command. Tasks and CLI commands query the model with `lean()`, except in `inPages` and in bulk writes that count each rejected
 * document.
 */
export const collectionOf = <Stored extends object>({ collection }: Model<Stored>): Collection<Stored> =>
  collection as unknown as Collection<Stored>;
