import { ReferenceSnapshot, type ReferenceKind } from '../../src/fields/reference-snapshot.js';
import { demoData } from '../../src/demo/demo-data.js';

export const demoReferences = demoData(new Date()).references;
const snapshot = new ReferenceSnapshot(demoReferences);

export function demoReferenceId(kind: ReferenceKind, publicId: string) {
  const found = snapshot.find(kind, publicId);
  if (!found) throw new Error(`the demo has no ${kind} ${publicId}`);
  return found._id;
}
