import { describe, it } from '@jest/globals';
import { expectImportSurvivesKills } from '../support/import-killed.js';
import { shareDatabase } from './support/installation.js';

const rounds = Number(process.env.RELIABILITY_ROUNDS ?? 20);
const jobs = Number(process.env.IMPORT_JOBS ?? 100_000);

describe('kill -9 of an import at random moments', () => {
  it(`${rounds} rounds of ${jobs} jobs leave the records and history of one undisturbed run (Contract 12.3.5)`, async () => {
    const installation = await shareDatabase();
    await expectImportSurvivesKills(installation, { jobs, rounds });
    await installation.remove();
  }, 3_600_000);
});
