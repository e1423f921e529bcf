import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** The file cannot be read whole: a copy of it was cut short, or something else has written into it. */
export class DamagedStoreError extends Error {
  override readonly name = 'DamagedStoreError';
}

/** LMDB's file in these machines' layout: integers of 64 bits, the lowest byte first. */
const ARCHITECTURES = ['arm64', 'x64'];
const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** What each page begins with: its number (8 bytes), a transaction (8), padding (2), flags (2), and a count. */
const HEADER_BYTES = 24;
const [BRANCH, LEAF, OVERFLOW] = [1, 2, 4];
/** Flags of a value in a leaf: it lies on pages of its own, or is the root of another tree. */
const [IS_BIG, IS_TREE] = [1, 2];
const NO_ROOT = 2 ** 64;

/**
 * Reads every page that LMDB would map, so that none is missing: LMDB trusts its file, and the process would end by a
 * signal, without a word. The length of the file alone says nothing, since pages that are free need not be there.
 * @throws DamagedStoreError when no state that was written down can be read whole
 */
export function assertWhole(path: string): void {
  if (!existsSync(path) || !ARCHITECTURES.includes(process.arch)) return;
  const file = openSync(path, 'r');
  try {
    const read = (offset: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      assert(readSync(file, bytes, 0, length, offset) === length);
      return bytes;
    };
    const metaAt = (offset: number) => readMeta(read(offset, 4096));
    const first = metaAt(0);
    const { pageSize } = first;
    const [second, flushed] = [metaAt(pageSize), metaAt(pageSize / 2)];
    assert(first.isKnown && second.isKnown);
    const pageOf: PageOf = (number, kind) => {
      const page = read(number * pageSize, pageSize);
      assert(integer(page, 0) === number && (page.readUInt16LE(18) & kind) !== 0);
      if (kind === OVERFLOW) assert((number + page.readUInt32LE(20)) * pageSize <= fstatSync(file).size);
      return page;
    };
    // After a loss of power LMDB goes back from the latest state to the one that it had flushed.
    const latest = first.transaction >= second.transaction ? first : second;
    const states = flushed.transaction > 0 ? [latest, flushed] : [latest];
    assert(states.some(({ roots }) => isWhole(pageOf, roots)));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw new DamagedStoreError(`${path} is damaged`, { cause });
  } finally {
    closeSync(file);
  }
}

/** The page of a number. @throws when it is not in the file or of no such kind */
type PageOf = (number: number, kind: number) => Buffer;

/** A state of the store: the page size, the roots of the tree of free pages and of that of the data. */
function readMeta(page: Buffer) {
  const meta = page.subarray(HEADER_BYTES);
  return {
    isKnown: meta.readUInt32LE(0) === MAGIC && meta.readUInt16LE(4) === VERSION,
    pageSize: meta.readUInt32LE(24),
    roots: [integer(meta, 64), integer(meta, 112)],
    transaction: integer(meta, 128),
  };
}

function isWhole(pageOf: PageOf, roots: readonly number[]): boolean {
  try {
    for (const root of roots) assertTree(pageOf, root);
    return true;
  } catch {
    return false;
  }
}

function assertTree(pageOf: PageOf, number: number): void {
  if (number === NO_ROOT) return;
  const page = pageOf(number, BRANCH | LEAF);
  const isBranch = (page.readUInt16LE(18) & BRANCH) !== 0;
  // Places count from the end of the header.
  for (let place = 0; place < page.readUInt16LE(20); place += 2) {
    const node = HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + place);
    const value = node + 8 + page.readUInt16LE(node + 6);
    const flags = page.readUInt16LE(node + 4);
    if (isBranch) assertTree(pageOf, page.readUIntLE(node, 6));
    else if (flags & IS_BIG) pageOf(integer(page, value), OVERFLOW);
    else if (flags & IS_TREE) assertTree(pageOf, integer(page, value + 40));
    else assert(value + page.readUInt32LE(node) <= page.length);
  }
}

const integer = (bytes: Buffer, offset: number): number => Number(bytes.readBigUInt64LE(offset));

function assert(condition: boolean): void {
  if (!condition) throw new Error('a page is missing or none of LMDB’s');
}
