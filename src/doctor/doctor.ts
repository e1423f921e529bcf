import { misspelledVariables, parseSettings, type Settings } from '../settings/settings.js';
import { buildSchema } from '../graphql/schema.js';
import { readTrustedDocuments } from '../graphql/trusted/trusted-documents.js';
import { checkDatabase } from './check-database.js';
import { checkKeys } from './check-keys.js';
import { checkPort, checkPublicUrl } from './check-network.js';
import { about, type Finding, lineOf } from './finding.js';
import { startFaults } from './start-fault.js';

/** The exit code is 1 if a start would fail. */
export interface Diagnosis {
  lines: string[];
  exitCode: 0 | 1;
}

const oldestNode = '20.19';

/**
 * Finds what would keep a gateway from starting or running well, and how to fix it (Contract 11.8). Changes nothing.
 * @param environment default: the process's environment
 * @throws any error that an operator cannot fix
 */
export async function runDoctor(
  environment?: NodeJS.ProcessEnv,
  { nodeVersion = process.versions.node }: { nodeVersion?: string } = {},
): Promise<Diagnosis> {
  const { ok, warn } = about('settings');
  const findings = [
    checkNode(nodeVersion),
    ...misspelledVariables(environment).map(({ variable, nearest }) =>
      warn(`${variable} is not a setting`, `rename it to ${nearest}, or remove it`),
    ),
  ];
  try {
    const settings = parseSettings(environment);
    findings.push(ok('every variable is valid'));
    if (settings.traceExporter) findings.push(about('traces').ok('are sent as the OTEL_ variables say'));
    findings.push(...checkPublicUrl(settings));
    for (const check of [checkPort, checkKeys, checkTrustedDocuments, checkDatabase])
      findings.push(...(await check(settings).catch((error: unknown) => found(error, settings))));
  } catch (error) {
    findings.push(...found(error, undefined));
  }
  return { lines: findings.map(lineOf), exitCode: findings.some(({ level }) => level === 'fail') ? 1 : 0 };
}

function checkNode(version: string): Finding {
  const isNewEnough = version.localeCompare(oldestNode, 'en', { numeric: true }) >= 0;
  return isNewEnough
    ? about('node').ok(`Node.js ${version}`)
    : about('node').fail(`Node.js ${version} is too old`, `install Node.js ${oldestNode} or newer`);
}

/** @throws TrustedDocumentsError if a document does not fit the schema */
async function checkTrustedDocuments(settings: Settings): Promise<Finding[]> {
  if (settings.trustedDocuments === undefined) return [];
  const { size } = await readTrustedDocuments(settings, buildSchema());
  return [about('trusted').ok(`${size} documents of ${settings.trustedDocuments} fit the schema`)];
}

/** @throws the error itself if an operator cannot fix it */
function found(error: unknown, settings: Settings | undefined): Finding[] {
  const faults = startFaults(error, settings);
  if (faults.length === 0) throw error;
  return faults;
}
