import { Transform } from 'node:stream';

/** Only the last piece of a multipart body may be smaller. */
const leastPieceBytes = 512;

/** Collects pieces in one buffer: in a buffer of its own, even a one-byte piece takes over 200 bytes. */
export class Gathered {
  #room = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

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

/** For readers that keep each piece in its own buffer. */
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
