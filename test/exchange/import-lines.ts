import { beforeEach } from '@jest/globals';
import { commandsOn, linesOf } from '../support/commands.js';
import { ownDatabase } from '../support/own-database.js';
import { ownFolders } from '../support/own-folder.js';
import { resetRecords } from '../support/reset-records.js';

export const job = (publicId: string, given: object = {}) => ({
  ...{ kind: 'job', public_id: publicId, media_public_id: 'demo-media', company_public_id: 'acme' },
  name: 'Porter',
  ...given,
});
export const company = (publicId: string, given: object = {}) => ({
  ...{ kind: 'company', public_id: publicId, name: publicId, ...given },
});
export const category = (publicId: string, given: object = {}) => ({
  ...{ kind: 'reference', type: 'job_category', public_id: publicId },
  name: { en: publicId, fr: publicId },
  ...given,
});
/** A line that changes a job of the demo data. */
export const update = (given: object) => ({ kind: 'job', public_id: 'acme-backend-engineer', ...given });

export const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

/** The reported faults, without their messages. */
export const faultsIn = (stderr: string) =>
  [...stderr.matchAll(/^(\S+:\d+: \S+: \S+): /gm)].map(([, fault = '']) => fault).sort();

/** For each test, the demo data in a database, a folder, and the commands that import into the database. */
export function ownImport() {
  const { database, models } = ownDatabase();
  const newFolder = ownFolders();
  let folder = '';
  beforeEach(async () => {
    await resetRecords(models);
    folder = newFolder();
  });
  const importFiles = (argv: readonly string[], stdin?: string) =>
    commandsOn(database.uri).importFiles(argv, stdin);
  return {
    database,
    models,
    folder: () => folder,
    importFiles,
    importLines: (lines: readonly object[], ...options: string[]) =>
      importFiles([...options, '-'], linesOf(lines)),
    exportAll: (...argv: string[]) => commandsOn(database.uri).exportAll(...argv),
    storedJob: (publicId: string) => models.jobs.findOne({ publicId }).lean(),
  };
}
