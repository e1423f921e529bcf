import { type Document, type WriteConcern } from 'mongodb';
import { about, type Finding } from './finding.js';

const { ok, fail } = about('database');

/** Servers that never answer before a change is on the disk, whatever they are asked: no standalone MongoDB is one. */
const isAlwaysJournaled = ({ gitVersion, storageEngines }: Document): boolean =>
  gitVersion === 'documentdb' || (Array.isArray(storageEngines) && storageEngines.includes('built-in'));

/**
 * Whether what the database has acknowledged survives whatever dies (Contract 11.8): what a caller was told is made must
 * not be lost with a primary, or with the power.
 * @param hello what the server answers to `hello`, and `buildInfo` to that
 */
export function durabilityFinding(
  { w, journal }: Pick<WriteConcern, 'w' | 'journal'>,
  hello: Document,
  buildInfo: Document,
): Finding {
  if (w === 0)
    return fail(
      'MONGODB_URI has w=0, so a change that was lost counts as made',
      'take w=0 out of MONGODB_URI',
    );
  const isStandalone = !hello.setName && hello.msg !== 'isdbgrid';
  if (!isStandalone && w === 1)
    return fail(
      'MONGODB_URI has w=1, so a change that was acknowledged is lost when its primary dies',
      'write w=majority in MONGODB_URI, or leave w out',
    );
  if (isStandalone && !journal && !isAlwaysJournaled(buildInfo))
    return fail(
      'a server of its own acknowledges a change before it is on the disk, and loses it when it dies',
      'write journal=true in MONGODB_URI, or use a replica set',
    );
  return ok('what it acknowledges is durable');
}
