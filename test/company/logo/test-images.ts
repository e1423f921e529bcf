import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

export const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;

/** A picture of random pixels. No format can compress it much. */
export function noise(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  return sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
}

/** A picture of one colour. */
export function plain(width: number, height: number, background = '#0080ff'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** Turns frames that stand one below the other into an animation. */
export function animation(colours: string[], format: 'gif' | 'webp'): Promise<Buffer> {
  const pixels = colours.map((colour) => Buffer.concat(Array<Buffer>(64).fill(Buffer.from(colour, 'hex'))));
  const frames = sharp(Buffer.concat(pixels), {
    raw: { width: 8, height: 8 * colours.length, channels: 3, pageHeight: 8 },
  });
  return format === 'gif'
    ? frames.gif({ delay: 100 }).toBuffer()
    : frames.webp({ lossless: true }).toBuffer();
}

/** A PNG written by hand: black, one bit a pixel, so that 30 000 × 30 000 fit into 110 kB. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return png(header, deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8)))));
}

/** A PNG whose rows differ from one another in their shade alone. Its encoder does not see that, and gives each pixel 4 bytes. */
export function swellingPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6], 8);
  const likeTheRowAbove = 2;
  const rows = Array.from({ length: side }, (_, row) =>
    row === 0
      ? Buffer.concat([Buffer.alloc(1), randomBytes(4 * side)])
      : Buffer.concat([Buffer.of(likeTheRowAbove), Buffer.alloc(4 * side, randomBytes(1))]),
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

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}
