import { type Document, type WriteConcern } from 'mongodb';
import { about, type Finding } from './finding.js';

const { ok, warn } = about('database');

/** DocumentDB and the built-in store write each change to disk before they acknowledge it, whatever the URI says. */
const isAlwaysJournaled = ({ gitVersion, storageEngines }: Document): boolean =>
  gitVersion === 'documentdb' || (Array.isArray(storageEngines) && storageEngines.includes('built-in'));

/** Whether an acknowledged change survives a crash (Contract 11.8), by the server's replies to `hello` and `buildInfo`. */
export function durabilityFinding(
  { w, journal }: Pick<WriteConcern, 'w' | 'journal'>,
  hello: Document,
  buildInfo: Document,
): Finding {
  const isStandalone = !hello.setName && hello.msg !== 'isdbgrid';
  if (!isStandalone && w === 1)
    return warn(
      'MONGODB_URI has w=1, so an acknowledged change can be lost when the primary crashes',
      'set w=majority in MONGODB_URI, or leave w out',
    );
  if (isStandalone && !journal && !isAlwaysJournaled(buildInfo))
    return warn(
      'a standalone server acknowledges changes before they reach the disk, and can lose them in a crash',
      'set journal=true in MONGODB_URI, or use a replica set',
    );
  return ok('acknowledged changes survive a crash');
}
