import { type Models } from '../../src/models.js';

/** Has all records changed an hour ago, since the list of changes ends 5 s before now. */
export async function settle({ models }: { models: Models }): Promise<void> {
  const changedAt = new Date(Date.now() - 3_600_000);
  for (const model of [models.companies, models.jobs])
    await model.collection.updateMany({}, { $set: { changedAt } });
}

/** Has what changed last have done so 6 s earlier, each record once and all in their order, instead of waiting for so long. */
export async function letSettle({ models }: { models: Models }): Promise<void> {
  const earlier = [{ $set: { changedAt: { $add: ['$changedAt', -6_000] } } }];
  const recent = { changedAt: { $gt: new Date(Date.now() - 5_500) } };
  for (const model of [models.companies, models.jobs, models.departures])
    await model.collection.updateMany(recent, earlier);
}
