import { closestMatch } from 'leven';
import { parseUrl } from './content/parse-url.rules.js';
import { EntryError, type Parser, spellSetting } from './setting-parsers.js';
import { type Definition, settingsTable } from './settings-table.js';

type Table = typeof settingsTable;
type Value<D> = D extends { parse: Parser<infer T>; default: string }
  ? T
  : D extends { parse: Parser<infer T> }
    ? T | undefined
    : never;

/** What the environment says, parsed and frozen. Durations are in milliseconds, sizes in bytes. */
export type Settings = Readonly<
  { [Name in keyof Table]: Value<Table[Name]> } & {
    /** How traces leave the process, as OpenTelemetry's own variables say (Contract 11.7). */
    traceExporter: TraceExporter | undefined;
  }
>;

/** The environment cannot be used. The message lists every fault, one a line, never a secret's value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads every setting at once from the environment.
 * @param options.opensDatabase whether a database is opened with them; without, production needs no MONGODB_URI
 * @throws SettingsError that names every fault
 */
export function parseSettings(
  environment: NodeJS.ProcessEnv = process.env,
  { opensDatabase = true }: { opensDatabase?: boolean } = {},
): Settings {
  const faults: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settingsTable) as [string, Definition][]) {
    // An empty variable counts as unset, as it does for most tools that fill environments.
    const text = environment[definition.variable]?.trim() || definition.default;
    try {
      settings[name] = text === undefined ? undefined : definition.parse(text);
    } catch (error) {
      const faulty = error instanceof EntryError ? error.entry : text;
      // What stands before an @ may be a password, which may have commas.
      const shown = definition.isSecret || text?.includes('@') ? 'the given value' : `"${faulty}"`;
      faults.push(`${definition.variable}: ${(error as Error).message}, not ${shown}`);
    }
  }
  if (settings.environment === 'production')
    faults.push(...missingInProduction(settings as unknown as Settings, opensDatabase));
  if (settings.trustedDocumentsOnly === 'on' && settings.trustedDocuments === undefined)
    faults.push('TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS, the file of the documents that may run');
  try {
    settings.traceExporter = traceExporterOf(environment);
  } catch (error) {
    faults.push((error as Error).message);
  }
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
  return Object.freeze(settings as unknown as Settings);
}

function missingInProduction({ mongodbUri, jwksUrl, keyFile }: Settings, opensDatabase: boolean): string[] {
  return [
    ...(mongodbUri || !opensDatabase
      ? []
      : ['MONGODB_URI: required with NODE_ENV=production, where the built-in store is refused']),
    ...(jwksUrl || keyFile ? [] : ['JWT_JWKS_URL or JWT_KEY_FILE: one is required with NODE_ENV=production']),
  ];
}

/** Shorter names, such as `POST` beside `PORT`, are too often meant for another program. */
const shortestMisspelling = 8;
const mostDifferentCharacters = 2;

/** Variables that look like a setting and are none: at least 8 characters, at most 2 unlike a setting's (Contract 11.3.1). */
export function misspelledVariables(
  environment: NodeJS.ProcessEnv = process.env,
): { variable: string; nearest: string }[] {
  const known = Object.values(settingsTable).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((variable) => variable.length >= shortestMisspelling && !known.includes(variable as never))
    .flatMap((variable) => {
      const nearest = closestMatch(variable, known, { maxDistance: mostDifferentCharacters });
      return nearest === undefined ? [] : [{ variable, nearest }];
    });
}

const otlpProtocols = ['http/protobuf', 'http/json'] as const;

/** OpenTelemetry takes any number for them. With a batch of 0 spans a flush, and so a stop, would never end. */
const batchVariables = [
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
];

/** How traces leave the process: by OTLP over HTTP, in one of its two encodings, or to its output. */
export type TraceExporter = (typeof otlpProtocols)[number] | 'console';

/**
 * The exporter of traces that OpenTelemetry's standard variables ask for; undefined if they name neither an exporter
 * nor an endpoint, or switch traces off. Every other `OTEL_` variable is read by OpenTelemetry itself (Contract 11.7).
 * @throws SettingsError for an exporter or a protocol that the gateway does not bring, an endpoint that is no URL, and
 * a size or time of batches that cannot work
 */
function traceExporterOf(environment: NodeJS.ProcessEnv): TraceExporter | undefined {
  const valueOf = (name: string) => environment[name]?.trim() || undefined;
  const exporter = valueOf('OTEL_TRACES_EXPORTER');
  if (exporter === 'none' || valueOf('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  if (exporter === 'console') return exporter;
  if (exporter !== undefined && exporter !== 'otlp')
    throw new SettingsError(`OTEL_TRACES_EXPORTER: must be otlp, console or none, not "${exporter}"`);
  // The variable of traces alone comes first, as it does in OpenTelemetry.
  const firstOf = (kind: string) =>
    [`OTEL_EXPORTER_OTLP_TRACES_${kind}`, `OTEL_EXPORTER_OTLP_${kind}`].find(valueOf);
  const [endpoint, protocol] = [firstOf('ENDPOINT'), firstOf('PROTOCOL')];
  if (exporter === undefined && endpoint === undefined) return undefined;
  const asked = protocol === undefined ? otlpProtocols[0] : valueOf(protocol);
  const found = otlpProtocols.find((name) => name === asked);
  const faults = [
    ...(found ? [] : [`${protocol}: must be ${otlpProtocols.join(' or ')}, not "${asked}"`]),
    // It may hold a password.
    ...(endpoint === undefined || isHttpUrl(valueOf(endpoint))
      ? []
      : [`${endpoint}: must be an http or https URL, not the given value`]),
    ...batchVariables
      .filter((name) => !/^[1-9]\d{0,8}$/.test(valueOf(name) ?? '1'))
      .map((name) => `${name}: must be a whole number from 1 to 999999999, not "${valueOf(name)}"`),
  ];
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
  return found;
}

const isHttpUrl = (text = ''): boolean => /^https?:\/\//.test(text) && parseUrl(text) !== null;

/** Every setting by its variable, as that spells it, for the log: secrets are replaced. */
export function describeSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    (Object.entries(settingsTable) as [keyof Settings, Definition][])
      .filter(([name]) => settings[name] !== undefined)
      .map(([name, { variable, isSecret }]) => [
        variable,
        isSecret ? '[redacted]' : spellSetting(name, settings[name]),
      ]),
  );
}
