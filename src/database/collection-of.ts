import { type Collection, type Model } from 'mongoose';

/**
 * The driver's collection of a model. Requests use the driver for every query: the types of the values are checked already, and
 * Mongoose would cast them again for half the cost of a command. So a service takes collections. Tasks and commands query the
 * model, with `lean()`, and use the driver only where a model falls short: `inPages`, and bulk writes whose refusals count one by one.
 */
export const collectionOf = <Stored extends object>({ collection }: Model<Stored>): Collection<Stored> =>
  collection as unknown as Collection<Stored>;
