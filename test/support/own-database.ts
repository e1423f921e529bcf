import { afterAll, beforeAll } from '@jest/globals';
import { type Models, modelsOf, prepareDatabase } from '../../src/models.js';
import { openTestDatabase, type TestDatabase } from './database.js';

/** A database with the indexes of a gateway, by default one for all tests. The returned objects have no properties before it opens. */
export function ownDatabase(
  before = beforeAll,
  after = afterAll,
): { database: TestDatabase; models: Models } {
  const database = {} as TestDatabase;
  const models = {} as Models;
  before(async () => {
    Object.assign(database, await openTestDatabase());
    Object.assign(models, modelsOf(database.connection));
    await prepareDatabase(models);
  });
  after(() => database.close());
  return { database, models };
}
