import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import {
  actorOption,
  command,
  endWith,
  onDatabase,
  readActor,
  readWaitMs,
  type Tell,
  usageFault,
  waitOption,
  withLeaseFor,
} from './command.js';
import { type Lease } from '../change/records-lease.js';
import { LogoStore } from '../company/logo/logo-store.js';
import { prepareDatabase } from '../models.js';
import { loadGazetteer } from '../job/location/gazetteer.js';
import { resolveLocalisation } from '../job/location/resolve-localisation.rules.js';
import { namesStore, parseSettings } from '../settings/settings.js';
import { importRecords, type ImportReport } from '../exchange/import/importer.js';
import { openInputs } from '../exchange/input/input-file.js';
import { Inputs } from '../exchange/input/inputs.js';
import { Progress } from './progress.js';

const syntax = {
  name: 'import',
  positionals: 'FILE…',
  summary:
    'Imports media, references, companies and jobs from JSON Lines. `-` is standard input; a file whose name ends in .gz is unzipped. schema/records.schema.json describes the format. A record whose public id exists is updated, any other is created. Exits with 1 if a line was faulty, with 2 if it could not run.',
  options: {
    'dry-run': { help: 'checks everything and writes nothing' },
    'on-fault': {
      value: 'stop|skip',
      default: 'stop',
      help: 'stop: writes nothing if any line is faulty; skip: leaves out faulty lines and writes all others',
    },
    actor: actorOption,
    wait: waitOption,
    kind: { value: 'job|company', help: 'reads CSV files that have a header line and records of this kind' },
  },
} as const;

const faultModes = ['stop', 'skip'];
const csvKinds = ['job', 'company'] as const;

/** The command `import`. Prints faults to standard error and counts to standard output. */
export const importCommand = (stdin: Readable) =>
  command(syntax, async ({ values, positionals }, environment, tell) => {
    const { 'on-fault': onFault, 'dry-run': isDryRun, kind } = values;
    const csvKind = csvKinds.find((candidate) => candidate === kind);
    if (positionals.length === 0) throw usageFault(syntax, 'Name a file, or - for standard input.');
    if (!faultModes.includes(onFault))
      throw usageFault(syntax, `--on-fault is stop or skip, not "${onFault}".`);
    if (kind !== undefined && !csvKind) throw usageFault(syntax, `--kind is job or company, not "${kind}".`);
    const actor = readActor(syntax, values.actor);
    const waitMs = readWaitMs(values.wait);
    const settings = parseSettings(environment);
    const { files, close } = await openInputs(positionals, { csvKind, stdin });
    const progress = new Progress(tell);
    try {
      const makesStore = namesStore(environment);
      return await onDatabase(settings, { tell, makesStore }, async (models, { tasks, isShared }) => {
        if (!isDryRun) await prepareDatabase(models);
        const gazetteer = loadGazetteer();
        const inputs = new Inputs(files);
        const { report, warnings } = reportTo(tell, progress, inputs);
        const context = {
          models,
          logos: new LogoStore(tasks, () => new Date()),
          resolveLocation: (localisation: string) => resolveLocalisation(localisation, gazetteer),
          now: () => new Date(),
          settings,
          origin: { actor, transport: 'import' as const, requestId: randomUUID() },
        };
        const run = (lease: Lease | null) =>
          importRecords(inputs, context, { stopsOnFault: onFault === 'stop', lease }, report);
        const counts = isDryRun
          ? await run(null)
          : await withLeaseFor(models, { command: 'import', actor, waitMs, isShared }, tell, run);
        const { inserted, changed, unchanged, faulty } = counts;
        const historyLines = inputs.countOf('history');
        const isStopped = faulty > 0 && onFault === 'stop';
        const summary = [
          ...[...warnings].map(
            ([what, { count, first }]) =>
              `${what}: ${count === 1 ? `1 line, ${first}` : `${count} lines, the first ${first}`}`,
          ),
          ...(historyLines > 0 ? [`${historyLines} lines of history were skipped`] : []),
          ...(isDryRun || isStopped ? ['nothing was written'] : []),
          `${inserted} inserted, ${changed} changed, ${unchanged} unchanged, ${faulty} faulty`,
        ];
        return { stdout: summary.join('\n'), exitCode: faulty > 0 ? 1 : 0 };
      });
    } finally {
      await close();
    }
  });

/** Prints progress and faults. Counts warnings by kind, and keeps the place of the first of each kind. */
function reportTo(tell: Tell, progress: Progress, inputs: Inputs) {
  const warnings = new Map<string, { count: number; first: string }>();
  const report: ImportReport = {
    onBytes: (count) => progress.add(count),
    onFault: ({ file, number }, { field, code, message }) =>
      tell(`${file}:${number}: ${field}: ${code}: ${message}`),
    onWarning: ({ file, number }, code, field) => {
      const what = `${code} of ${field}`;
      const known = warnings.get(what);
      if (known) known.count += 1;
      else if (warnings.size < mostWarnings) warnings.set(what, { count: 1, first: `${file}:${number}` });
    },
    onStep: (name, lines) => {
      if (lines === undefined) progress.begin(`${name} bytes`, inputs.totalBytes);
      else progress.begin(name, lines);
    },
    onLines: (count) => progress.add(count),
  };
  return { report, warnings };
}

/** How many kinds of warning are counted: each unknown key of a file is a kind of its own. */
const mostWarnings = 100;

await endWith(import.meta, importCommand(process.stdin));
