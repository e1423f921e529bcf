import { Transform } from 'node:stream';

/** What a piece of a multipart body has at least, but for the last one. */
const leastPieceBytes = 512;

/** Bytes that come in pieces. Kept as it comes, a piece of one byte would take two hundred bytes and more. */
export class Gathered {
  #room = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** All that was added. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const wider = Buffer.allocUnsafe(Math.max(length, 2 * this.#length));
      this.#room.copy(wider, 0, 0, this.#length);
      this.#room = wider;
    }
    piece.copy(this.#room, this.#length);
    this.#length = length;
  }
}

/** Passes bytes on in larger pieces than they may come in, for readers that keep each piece as it comes. */
export function inLargerPieces(): Transform {
  let held = new Gathered();
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (held.length === 0 && piece.length >= leastPieceBytes) return done(null, piece);
      held.add(piece);
      if (held.length < leastPieceBytes) return done();
      const { bytes } = held;
      held = new Gathered();
      done(null, bytes);
    },
    flush: (done) => done(null, held.bytes),
  });
}
