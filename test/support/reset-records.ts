import { type Models } from '../../src/database/models.js';
import { seedDemoData } from '../../src/demo/seed.js';

/** Puts every record back as the demo data have it, and forgets history and quotas. */
export async function resetRecords(models: Models, now = new Date()): Promise<void> {
  const { media, references, ...changing } = models;
  for (const model of [...Object.values(changing), media, references]) await model.collection.deleteMany({});
  await media.db.collection('quotas').deleteMany({});
  await seedDemoData(models, now);
}
