import { type Document, type WriteConcern } from 'mongodb';
import { about, type Finding } from './finding.js';

const { ok, warn } = about('database');

/** Servers that answer only when a change is on the disk, whatever the URI says. A standalone MongoDB is not one of them. */
const isAlwaysJournaled = ({ gitVersion, storageEngines }: Document): boolean =>
  gitVersion === 'documentdb' || (Array.isArray(storageEngines) && storageEngines.includes('built-in'));

/**
 * Whether an acknowledged change survives whatever dies next (Contract 11.8). Warns at most: the gateway starts all the same.
 * @param hello the server's answer to the command of that name; so is `buildInfo`
 */
export function durabilityFinding(
  { w, journal }: Pick<WriteConcern, 'w' | 'journal'>,
  hello: Document,
  buildInfo: Document,
): Finding {
  const isStandalone = !hello.setName && hello.msg !== 'isdbgrid';
  if (!isStandalone && w === 1)
    return warn(
      'MONGODB_URI has w=1, so a change that was acknowledged is lost when its primary dies',
      'write w=majority in MONGODB_URI, or leave w out',
    );
  if (isStandalone && !journal && !isAlwaysJournaled(buildInfo))
    return warn(
      'a server of its own acknowledges a change before it is on the disk, and loses it when it dies',
      'write journal=true in MONGODB_URI, or use a replica set',
    );
  return ok('what it acknowledges is durable');
}
