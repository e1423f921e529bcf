import { type Models } from '../../src/models.js';

/** Sets the time of all changes to an hour ago, because the list of changes leaves out changes of the last 5 s. */
export async function settle({ models }: { models: Models }): Promise<void> {
  const changedAt = new Date(Date.now() - 3_600_000);
  for (const model of [models.companies, models.jobs])
    await model.collection.updateMany({}, { $set: { changedAt } });
}

/** Dates recent changes back by 6 s instead of waiting for 6 s. Moves each change only once, and keeps the order of changes. */
export async function letSettle({ models }: { models: Models }): Promise<void> {
  const earlier = [{ $set: { changedAt: { $add: ['$changedAt', -6_000] } } }];
  const recent = { changedAt: { $gt: new Date(Date.now() - 5_500) } };
  for (const model of [models.companies, models.jobs, models.departures])
    await model.collection.updateMany(recent, earlier);
}
