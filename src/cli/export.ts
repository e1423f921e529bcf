import { command, couldNotRun, endWith, usageFault } from './command.js';
import { LogoStore } from '../company/logo/logo-store.js';
import { withModels } from '../models.js';
import { parseSettings } from '../settings.js';
import { exportRecords } from '../exchange/export/export-records.js';
import { Progress, type ProgressOutput } from './progress.js';
import { type RecordKind, recordKinds } from '../exchange/line-format.js';

const syntax = {
  name: 'export',
  summary:
    'Writes media, references, companies and jobs to standard output as JSON Lines, which import reads; all else goes to standard error.',
  options: {
    kind: { value: 'KIND', multiple: true, help: `only ${recordKinds.join(', ')}; may be repeated` },
    media: {
      value: 'ID',
      multiple: true,
      help: 'only the companies and jobs of this media, and the companies of these jobs; may be repeated',
    },
    'with-history': { help: 'adds the history of companies and jobs, as lines of the kind history' },
  },
} as const;

/** UTF-16 units that are written at once. */
const writtenUnits = 65_536;

interface ExportOutput {
  /** Takes lines, and resolves once it can take more. */
  write: (text: string) => Promise<void>;
  stderr: ProgressOutput;
}

/** The command `export` (Contract 12.4), which exits with 2 where it could not run to its end, or where a logo is lost. */
export const exportCommand = ({ write, stderr }: ExportOutput) =>
  command(syntax, async ({ values }, environment) => {
    const unknown = values.kind?.find((kind) => !recordKinds.includes(kind as RecordKind));
    if (unknown !== undefined)
      throw usageFault(syntax, `--kind is ${recordKinds.join(', ')}, not "${unknown}".`);
    const settings = parseSettings(environment);
    const progress = new Progress(stderr);
    return withModels(settings, async (models, { tasks }) => {
      for (const publicId of values.media ?? [])
        if (!(await models.media.exists({ publicId })))
          throw usageFault(syntax, `There is no media ${publicId}.`);
      progress.begin('lines written');
      const lost: string[] = [];
      const lines = exportRecords({
        models,
        logos: new LogoStore(tasks, () => new Date()),
        kinds: recordKinds.filter((kind) => values.kind?.includes(kind) ?? true),
        media: values.media,
        withHistory: values['with-history'],
        now: new Date(),
        lifetimeMs: settings.jobLifetimeMs,
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

// Where it cannot be written, the process ends.
const write = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));
await endWith(import.meta, exportCommand({ write, stderr: process.stderr }));
