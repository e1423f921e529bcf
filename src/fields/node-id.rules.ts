/** What a node's id is made of: the public ids of the record and, of a company, before it that of the media that shows it. */
interface NodeKeys {
  Job: [publicId: string];
  Company: [mediaPublicId: string, publicId: string];
  Media: [publicId: string];
}
export type NodeKind = keyof NodeKeys;

export type NodeKey = { [Kind in NodeKind]: { kind: Kind; key: NodeKeys[Kind] } }[NodeKind];

const lengths: Record<NodeKind, number> = { Job: 1, Company: 2, Media: 1 };

/** Opaque to callers. Public ids have no spaces and never change, so a node keeps its id (Contract 4.7.1). */
export const nodeId = <Kind extends NodeKind>(kind: Kind, ...key: NodeKeys[Kind]): string =>
  Buffer.from([kind, ...key].join(' ')).toString('base64url');

/** Null if the id is malformed. */
export function readNodeId(id: string): NodeKey | null {
  const text = Buffer.from(id, 'base64url').toString();
  if (Buffer.from(text).toString('base64url') !== id) return null;
  const [kind = '', ...key] = text.split(' ');
  return Object.hasOwn(lengths, kind) && key.length === lengths[kind as NodeKind]
    ? ({ kind, key } as NodeKey)
    : null;
}
