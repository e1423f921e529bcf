import { type Collection, type Model } from 'mongoose';

/**
 * The driver's collection of a model. Requests use the driver for every query: their values are checked already, and casting them
 * again in Mongoose costs half as much as the command. So a service takes collections. Tasks and commands query the model with
 * `lean()`. They use the driver only for `inPages`, and for bulk writes that count each rejected document.
 */
export const collectionOf = <Stored extends object>({ collection }: Model<Stored>): Collection<Stored> =>
  collection as unknown as Collection<Stored>;
