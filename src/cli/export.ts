import { command, couldNotRun, endWith, onDatabase, usageFault } from './command.js';
import { type Feed, positionOf } from '../change/change-cursor.rules.js';
import { readEpoch } from '../change/epoch.js';
import { LogoStore } from '../company/logo/logo-store.js';
import { databaseOf } from '../database/connect.js';
import { parseSettings } from '../settings/settings.js';
import { exportRecords } from '../exchange/export/export-records.js';
import { Progress } from './progress.js';
import { type RecordKind, recordKinds } from '../exchange/line-format.js';

const syntax = {
  name: 'export',
  summary:
    'Writes media, references, companies and jobs to standard output, as JSON Lines that import can read. Progress and errors go to standard error.',
  options: {
    kind: { value: 'KIND', multiple: true, help: `only ${recordKinds.join(', ')}; may be repeated` },
    media: {
      value: 'ID',
      multiple: true,
      help: 'only the companies and jobs of this media, and the companies of these jobs; may be repeated',
    },
    since: {
      value: 'AFTER',
      help: 'only the companies and jobs that have changed since this cursor of /changes, in the media of the cursor',
    },
    'with-history': { help: 'adds the history of companies and jobs, as lines of the kind history' },
  },
} as const;

/** In UTF-16 units. */
const writtenUnits = 65_536;

/**
 * The command `export`. Exits with 2 if it could not finish or a logo is lost.
 * @param write resolves when more can be written
 */
export const exportCommand = (write: (text: string) => Promise<void>) =>
  command(syntax, async ({ values }, environment, tell) => {
    const unknown = values.kind?.find((kind) => !recordKinds.includes(kind as RecordKind));
    if (unknown !== undefined)
      throw usageFault(syntax, `--kind is ${recordKinds.join(', ')}, not "${unknown}".`);
    const settings = parseSettings(environment);
    if (values.since !== undefined && values.media)
      throw usageFault(syntax, 'The --since cursor already belongs to a media: leave out --media.');
    const now = new Date();
    const progress = new Progress(tell);
    return onDatabase(settings, { tell, makesStore: false }, async (models, { tasks }) => {
      const since =
        values.since === undefined
          ? undefined
          : readSince(values.since, { now, epoch: await readEpoch(databaseOf(tasks)) });
      const media = since ? [since.media] : values.media;
      for (const publicId of media ?? [])
        if (!(await models.media.exists({ publicId })))
          throw usageFault(syntax, `There is no media ${publicId}.`);
      progress.begin('lines written');
      const lost: string[] = [];
      const lines = exportRecords({
        models,
        logos: new LogoStore(tasks, () => new Date()),
        kinds: recordKinds.filter(
          (kind) => (values.kind?.includes(kind) ?? true) && (!since || kind === 'company' || kind === 'job'),
        ),
        media,
        since: since?.at,
        withHistory: values['with-history'],
        now,
        onLost: (sentence) => lost.push(sentence),
      });
      let text = '';
      for await (const line of lines) {
        text += `${JSON.stringify(line)}\n`;
        progress.add(1);
        if (text.length < writtenUnits) continue;
        await write(text);
        text = '';
      }
      await write(text);
      return lost.length > 0 ? { stdout: '', stderr: lost.join('\n'), exitCode: couldNotRun } : '';
    });
  });

/** @throws Error if the cursor is invalid, expired or from before a restore */
function readSince(cursor: string, feed: Omit<Feed, 'media'>): ReturnType<typeof positionOf> {
  try {
    return positionOf(Buffer.from(cursor, 'base64url').toString(), feed);
  } catch {
    throw new Error(
      '--since must be an `after` of /changes, at most 30 days old and issued since the last restore of the database. Leave it out to export everything.',
    );
  }
}

// If standard output fails, `endWith` ends the process.
const write = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));
await endWith(import.meta, exportCommand(write));
