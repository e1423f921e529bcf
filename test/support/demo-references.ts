import { ReferenceBook, type ReferenceKind } from '../../src/fields/reference-book.js';
import { demoData } from '../../src/demo/demo-data.js';

export const demoReferences = demoData(new Date()).references;
const book = new ReferenceBook(demoReferences);

export function demoReferenceId(kind: ReferenceKind, publicId: string) {
  const found = book.find(kind, publicId);
  if (!found) throw new Error(`the demo has no ${kind} ${publicId}`);
  return found._id;
}
