import { type Models } from '../../src/models.js';

/** Dates the changes of the last hour an hour back: the list of changes leaves out the last 5 s. */
export async function settle({ models }: { models: Models }): Promise<void> {
  const changedAt = new Date(Date.now() - 3_600_000);
  for (const model of [models.companies, models.jobs])
    await model.collection.updateMany({ changedAt: { $gt: changedAt } }, { $set: { changedAt } });
}

/** Dates recent changes back by 6 s, once each, and keeps their order. */
export async function letSettle({ models }: { models: Models }): Promise<void> {
  const earlier = [{ $set: { changedAt: { $add: ['$changedAt', -6_000] } } }];
  const recent = { changedAt: { $gt: new Date(Date.now() - 5_500) } };
  for (const model of [models.companies, models.jobs, models.tombstones])
    await model.collection.updateMany(recent, earlier);
}
