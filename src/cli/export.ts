import { command, couldNotRun, endWith, usageFault } from './command.js';
import { positionOf } from '../change/change-cursor.rules.js';
import { LogoStore } from '../company/logo/logo-store.js';
import { withModels } from '../models.js';
import { parseSettings } from '../settings/settings.js';
import { exportRecords } from '../exchange/export/export-records.js';
import { Progress, type ProgressOutput } from './progress.js';
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

interface ExportOutput {
  /** Resolves when more can be written. */
  write: (text: string) => Promise<void>;
  stderr: ProgressOutput;
}

/** The command `export` (Contract 12.4). Exits with 2 if it could not finish or a logo is lost. */
export const exportCommand = ({ write, stderr }: ExportOutput) =>
  command(syntax, async ({ values }, environment) => {
    const unknown = values.kind?.find((kind) => !recordKinds.includes(kind as RecordKind));
    if (unknown !== undefined)
      throw usageFault(syntax, `--kind is ${recordKinds.join(', ')}, not "${unknown}".`);
    const settings = parseSettings(environment);
    const now = new Date();
    const since = values.since === undefined ? undefined : readSince(values.since, now);
    if (since && values.media)
      throw usageFault(syntax, 'The --since cursor already belongs to a media: leave out --media.');
    const media = since ? [since.media] : values.media;
    const progress = new Progress(stderr);
    return withModels(settings, async (models, { tasks }) => {
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
    }).finally(() => progress.end());
  });

/** @throws Error if the cursor is invalid or expired */
function readSince(cursor: string, now: Date): ReturnType<typeof positionOf> {
  try {
    return positionOf(Buffer.from(cursor, 'base64url').toString(), { now });
  } catch {
    throw new Error(
      '--since must be an `after` of /changes, at most 30 days old. Leave it out to export everything.',
    );
  }
}

// If standard output fails, `endWith` ends the process.
const write = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));
await endWith(import.meta, exportCommand({ write, stderr: process.stderr }));
