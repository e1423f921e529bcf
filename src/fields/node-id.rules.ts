/** How many public ids a node's id is made of: that of the record and, of a company, before it that of the media that shows it. */
const keyLengths = { Job: 1, Company: 2, Media: 1 };
export type NodeKind = keyof typeof keyLengths;

export interface NodeKey {
  kind: NodeKind;
  key: readonly string[];
}

/** Opaque to callers. Public ids have no spaces and never change, so a node keeps its id (Contract 4.7.1). */
export const nodeId = (kind: NodeKind, ...key: string[]): string =>
  Buffer.from([kind, ...key].join(' ')).toString('base64url');

/** Null if the id is malformed. */
export function readNodeId(id: string): NodeKey | null {
  const text = Buffer.from(id, 'base64url').toString();
  if (Buffer.from(text).toString('base64url') !== id) return null;
  const [kind = '', ...key] = text.split(' ');
  return Object.hasOwn(keyLengths, kind) && key.length === keyLengths[kind as NodeKind]
    ? { kind: kind as NodeKind, key }
    : null;
}
