import { parseUrl } from '../text/parse-url.rules.js';
import { EntryError, spellSetting } from './setting-parsers.js';
import { type Definition, settingsTable } from './settings-table.js';

type SettingsTable = typeof settingsTable;
type Value<D extends Definition> =
  ReturnType<D['parse']> | (D extends { default: string } ? never : undefined);

/** Frozen. Durations are in milliseconds, sizes in bytes. */
export type Settings = Readonly<
  { [Name in keyof SettingsTable]: Value<SettingsTable[Name]> } & {
    /** Undefined if tracing is off. */
    traceExporter: TraceExporter | undefined;
    /** Where traces are sent; undefined if they are sent nowhere. May contain a password. */
    traceEndpoint: string | undefined;
  }
>;

/** The message has one line for each fault, and never shows a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** With `opensDatabase` false, production needs no MONGODB_URI. @throws SettingsError that names every fault */
export function parseSettings(
  environment: NodeJS.ProcessEnv = process.env,
  { opensDatabase = true }: { opensDatabase?: boolean } = {},
): Settings {
  const faults: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settingsTable) as [string, Definition][]) {
    // An empty variable counts as unset.
    const text = environment[definition.variable]?.trim() || definition.default;
    try {
      settings[name] = text === undefined ? undefined : definition.parse(text);
    } catch (error) {
      const faulty = error instanceof EntryError ? error.entry : text;
      // Text before an @ may be a password, which may contain commas: no entry of such a list is safe to show.
      const quoted = definition.isSecret || text?.includes('@') ? 'the given value' : `"${faulty}"`;
      faults.push(`${definition.variable}: ${(error as Error).message}, not ${quoted}`);
    }
  }
  if (settings.environment === 'production') {
    if (opensDatabase && !settings.mongodbUri)
      faults.push('MONGODB_URI: required with NODE_ENV=production, where the built-in store is refused');
    if (!(settings.jwtProviders ?? settings.jwksUrl ?? settings.keyFile))
      faults.push('JWT_PROVIDERS, JWT_JWKS_URL or JWT_KEY_FILE: one is required with NODE_ENV=production');
  }
  if (settings.trustedDocumentsOnly === 'on' && settings.trustedDocuments === undefined)
    faults.push('TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS, the file of the documents that may run');
  Object.assign(settings, tracesOf(environment, faults));
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
  return Object.freeze(settings as unknown as Settings);
}

/** Whether the environment says where the records are. If not, they are in the default folder of the built-in store. */
export const namesStore = ({ MONGODB_URI, DATA_DIR }: NodeJS.ProcessEnv = process.env): boolean =>
  Boolean(MONGODB_URI?.trim() || DATA_DIR?.trim());

const otlpProtocols = ['http/protobuf', 'http/json'] as const;

/** OpenTelemetry doesn't check these numbers. With batches of 0 spans, the process would never stop. */
const batchVariables = [
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_BSP_EXPORT_TIMEOUT',
];

export type TraceExporter = (typeof otlpProtocols)[number] | 'console';

/** Of OpenTelemetry. */
const defaultTraceEndpoint = 'http://localhost:4318';

/**
 * Undefined if the variables turn tracing off, or name neither an exporter nor an endpoint. OpenTelemetry reads all other `OTEL_` variables
 * itself.
 * @param faults gets an unsupported exporter or protocol, an invalid endpoint, and each batch setting out of range
 */
function tracesOf(
  environment: NodeJS.ProcessEnv,
  faults: string[],
): Pick<Settings, 'traceExporter' | 'traceEndpoint'> {
  const off = { traceExporter: undefined, traceEndpoint: undefined };
  const valueOf = (name: string) => environment[name]?.trim() || undefined;
  const exporter = valueOf('OTEL_TRACES_EXPORTER');
  if (exporter === 'none' || valueOf('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return off;
  if (exporter === 'console') return { ...off, traceExporter: exporter };
  if (exporter !== undefined && exporter !== 'otlp') {
    faults.push(`OTEL_TRACES_EXPORTER: must be otlp, console or none, not "${exporter}"`);
    return off;
  }
  // The variable for traces wins, as in OpenTelemetry.
  const firstOf = (kind: string) =>
    [`OTEL_EXPORTER_OTLP_TRACES_${kind}`, `OTEL_EXPORTER_OTLP_${kind}`].find(valueOf);
  const [endpoint, protocol] = [firstOf('ENDPOINT'), firstOf('PROTOCOL')];
  if (exporter === undefined && endpoint === undefined) return off;
  const asked = protocol === undefined ? otlpProtocols[0] : valueOf(protocol);
  const found = otlpProtocols.find((name) => name === asked);
  if (!found) faults.push(`${protocol}: must be ${otlpProtocols.join(' or ')}, not "${asked}"`);
  // Never show the URL: it may contain a password.
  if (endpoint !== undefined && !isHttpUrl(valueOf(endpoint)))
    faults.push(`${endpoint}: must be an http or https URL, not the given value`);
  for (const name of batchVariables)
    if (!/^[1-9]\d{0,8}$/.test(valueOf(name) ?? '1'))
      faults.push(`${name}: must be a whole number from 1 to 999999999, not "${valueOf(name)}"`);
  return { traceExporter: found, traceEndpoint: (endpoint && valueOf(endpoint)) ?? defaultTraceEndpoint };
}

const isHttpUrl = (text = ''): boolean => /^https?:\/\//.test(text) && parseUrl(text) !== null;

/** For the log: secrets are redacted. */
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
