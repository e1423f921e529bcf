import { parseSettings, type Settings } from '../settings/settings.js';
import { buildSchema } from '../graphql/schema.js';
import { readTrustedDocuments } from '../graphql/trusted/trusted-documents.js';
import { checkDatabase } from './check-database.js';
import { checkKeys } from './check-keys.js';
import { checkPublicUrl } from './check-public-url.js';
import { checkTraces } from './check-traces.js';
import { about, type Finding, lineOf } from './finding.js';
import { startFaults } from './start-fault.js';

/** The exit code is 1 if a finding would keep the gateway from starting. */
export interface Diagnosis {
  lines: string[];
  exitCode: 0 | 1;
}

const oldestNode = '20.19';

/**
 * Finds what a start would refuse in the settings, keys, trusted documents and database, and what is unwise in production, and how to fix
 * it. The code of the start finds and reports everything that a start rejects. Changes nothing.
 * @param environment default: the process's environment
 * @throws any error that an operator cannot fix
 */
export async function runDoctor(
  environment?: NodeJS.ProcessEnv,
  {
    nodeVersion = process.versions.node,
    now = () => new Date(),
  }: { nodeVersion?: string; now?: () => Date } = {},
): Promise<Diagnosis> {
  const findings = [checkNode(nodeVersion)];
  try {
    const settings = parseSettings(environment);
    findings.push(about('settings').ok('every variable is valid'));
    findings.push(...checkPublicUrl(settings));
    for (const check of [checkKeys, checkTrustedDocuments, checkTraces, checkDatabase])
      findings.push(...(await check(settings, now).catch((error: unknown) => found(error, settings))));
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
