import { type CommandResult, couldNotRun, readArguments, resultOf, usageFault } from '../cli/command.js';
import { LogoStore } from '../company/logo/logo-store.js';
import { withModels } from '../database/models.js';
import { parseSettings } from '../settings.js';
import { exportRecords } from './export/export-records.js';
import { Progress, type ProgressOutput } from './progress.js';
import { type RecordKind, recordKinds } from './line-format.js';

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

/**
 * The command `export` (Contract 12.4). `write` takes lines, and resolves once it can take more.
 * @param environment default the environment of the process.
 * @returns with the exit code 0; 2 if it could not run to its end, or if a logo is lost
 */
export async function runExportCommand(
  argv: readonly string[],
  { write, stderr }: { write: (text: string) => Promise<void>; stderr: ProgressOutput },
  environment?: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const progress = new Progress(stderr);
  const run = async () => {
    const { values } = readArguments(syntax, argv);
    const unknown = values.kind?.find((kind) => !recordKinds.includes(kind as RecordKind));
    if (unknown !== undefined)
      throw usageFault(syntax, `--kind is ${recordKinds.join(', ')}, not "${unknown}".`);
    const settings = parseSettings(environment);
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
    });
  };
  const result = await resultOf(run, environment);
  progress.end();
  return result;
}
