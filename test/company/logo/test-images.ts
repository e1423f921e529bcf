import { createHash, randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

export const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;

/** Random pixels, which no format can compress much. */
export function noise(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  return sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
}

export function plain(width: number, height: number, background = '#0080ff'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A picture of 8 × 8 pixels. */
export const smallPng = await plain(8, 8).png().toBuffer();

export function animation(colours: string[], format: 'gif' | 'webp'): Promise<Buffer> {
  const pixels = colours.map((colour) => Buffer.concat(Array<Buffer>(64).fill(Buffer.from(colour, 'hex'))));
  const frames = sharp(Buffer.concat(pixels), {
    raw: { width: 8, height: 8 * colours.length, channels: 3, pageHeight: 8 },
  });
  return format === 'gif'
    ? frames.gif({ delay: 100 }).toBuffer()
    : frames.webp({ lossless: true }).toBuffer();
}

/** One bit per pixel, so that 30 000 × 30 000 pixels fit into 110 kB. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return png(header, deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8)))));
}

/** Rows that differ only in shade: a small file that grows to 2.8 bytes per pixel when re-encoded. */
export function swellingPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6], 8);
  const likeTheRowAbove = 2;
  // With random bytes, the size of the result would vary fivefold.
  const first = createHash('shake256', { outputLength: 4 * side }).digest();
  const rows = Array.from({ length: side }, (_, row) =>
    row === 0
      ? Buffer.concat([Buffer.alloc(1), first])
      : Buffer.concat([Buffer.of(likeTheRowAbove), Buffer.alloc(4 * side, 96 + (row % 64))]),
  );
  return png(header, deflateSync(Buffer.concat(rows)));
}

function png(header: Buffer, rows: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param bytes of each text once it is inflated */
export function pngOfTexts(texts: number, bytes: number, type: 'zTXt' | 'iTXt'): Buffer {
  const png = blackPng(8, 8);
  const start = Buffer.from(type === 'zTXt' ? 'a\0\0' : 'a\0\x01\0\0\0');
  const text = pngChunk(type, Buffer.concat([start, deflateSync(Buffer.alloc(bytes, 'x'))]));
  // The header ends at byte 33.
  return Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(texts).fill(text), png.subarray(33)]);
}

/** At most 1 + 63 × 14 scans: after the first, each scan adds one bit to one coefficient. */
export function jpegOfScans(scans: number): Buffer {
  const segment = (mark: number, bytes: number[]) => [0xff, mark, 0, bytes.length + 2, ...bytes];
  const table = (kind: number, code: number) => segment(0xc4, [kind, 1, ...Array<number>(15).fill(0), code]);
  const scan = (first: number, last: number, high: number, low: number) => [
    ...segment(0xda, [1, 1, 0, first, last, (high << 4) | low]),
    0x7f,
  ];
  const later = Array.from({ length: scans - 1 }, (_, index) => {
    const [place, low] = [1 + Math.floor(index / 14), 13 - (index % 14)];
    return scan(place, place, low === 13 ? 0 : low + 1, low);
  });
  return Buffer.from([
    ...[0xff, 0xd8, ...segment(0xdb, [0, ...Array<number>(64).fill(1)])],
    ...segment(0xc2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    ...[...table(0, 0), ...table(0x10, 0)],
    ...[...scan(0, 0, 0, 0), ...later.flat(), 0xff, 0xd9],
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}
