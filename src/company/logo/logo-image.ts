import { createHash } from 'node:crypto';
import { type Metadata, type Sharp } from 'sharp';
import { decodeInTurn } from './decode-in-turn.js';
import { LogoFormatError, LogoWaitError } from './logo-errors.js';
import { type HeldFile } from './logo-intake.js';

export interface LogoImage {
  bytes: Buffer;
  contentType: `image/${Format['name']}`;
  /** SHA-256 of `bytes`, in hexadecimal. */
  hash: string;
  /** Whether the file had more frames than the first, which alone is kept. */
  isAnimated?: boolean;
}

interface Format {
  /** sharp's name for it. */
  name: 'png' | 'jpeg' | 'webp' | 'gif';
  /**
   * Whether the file has its end mark, and not too many texts or scans: a few bytes of these cost the decoder much time or
   * memory. Always true if the decoder itself sees to both.
   */
  isSound: (bytes: Buffer) => boolean;
  encode: (image: Sharp, header: Metadata) => Sharp;
}

/** The longest side that a logo may have. */
export const maxSidePixels = 4_096;
/** The slowest pictures within the bounds that we know, WebP and GIF of 16 million pixels without a pattern, take 5 or 6. */
const MAX_PROCESSING_SECONDS = 15;
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');
/** zTXt and iTXt: texts that may be compressed. */
const PNG_TEXTS = [0x7a545874, 0x69545874];
/** The decoder holds all texts of a PNG at once, and each may grow from some kB to 8 MB. */
const MOST_TEXTS = 20;
/**
 * Encoders make about a dozen scans of a picture. A hundred take 3 s; a file of 200 kB may have thousands, and the decoder
 * looks at no time-out before it has read them all.
 */
const MOST_SCANS = 100;
const JPEG_MARK = 0xff;
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;
const GIF_END = 0x3b;
const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;

const FORMATS: Format[] = [
  {
    name: 'png',
    isSound: isSoundPng,
    // With filters a smooth picture is a quarter as large, and one that was drawn with a palette twice as large.
    encode: (image, { isPalette }) => image.png({ adaptiveFiltering: !isPalette }),
  },
  {
    name: 'jpeg',
    // Once the decoder has every pixel, it does not look for the end mark.
    isSound: isSoundJpeg,
    encode: (image) => image.jpeg({ quality: 90 }),
  },
  {
    name: 'webp',
    isSound: () => true,
    // Half the time of the default effort, for a tenth more bytes.
    encode: (image) => image.webp({ quality: 90, effort: 2 }),
  },
  {
    name: 'gif',
    isSound: hasGifEnd,
    // sharp rounds the colours of the palette in the file; a palette that it makes from the pixels is exact.
    encode: (image) => image.gif({ reuse: false }),
  },
];

/** Whether the chunks of a PNG lead to its end mark with no more than {@link MOST_TEXTS} on the way. */
function isSoundPng(bytes: Buffer): boolean {
  let texts = 0;
  for (let at = 8; at + PNG_END.length <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.compare(PNG_END, 0, PNG_END.length, at, at + PNG_END.length) === 0) return true;
    if (PNG_TEXTS.includes(bytes.readUInt32BE(at + 4)) && (texts += 1) > MOST_TEXTS) return false;
  }
  return false;
}

/**
 * Whether the segments of a JPEG lead to its end mark with no more than {@link MOST_SCANS} on the way. What stands within a
 * segment, such as a thumbnail, is skipped by the length of the segment.
 */
function isSoundJpeg(bytes: Buffer): boolean {
  let scans = 0;
  // A picture begins with the mark of its start.
  for (let at = 2; at < bytes.length; at += 1) {
    const mark = bytes[at + 1] ?? 0;
    if (bytes[at] !== JPEG_MARK || !isSegment(mark)) continue;
    if (mark === JPEG_END) return true;
    if (mark === JPEG_SCAN && (scans += 1) > MOST_SCANS) return false;
    at += 1 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0);
  }
  return false;
}

/**
 * Whether a segment of a JPEG begins with this mark, or the picture ends. Other marks are no more than bytes between
 * others: the decoder goes on behind them, or refuses the file.
 */
const isSegment = (mark: number): boolean => mark >= 0xc0 && mark < JPEG_MARK && (mark & 0xf8) !== 0xd0;

/** Whether the blocks of a GIF lead to its end mark. The mark is a single byte, which may stand anywhere within a block. */
function hasGifEnd(bytes: Buffer): boolean {
  let at = 13 + paletteBytes(bytes[10]);
  while (at < bytes.length && bytes[at] !== GIF_END) {
    const block = bytes[at];
    if (block === GIF_FRAME) at += 11 + paletteBytes(bytes[at + 9]);
    else at += block === GIF_EXTENSION ? 2 : 1;
    // What is no block, the decoder skips or refuses.
    if (block !== GIF_FRAME && block !== GIF_EXTENSION) continue;
    for (let size = bytes[at]; size; size = bytes[at]) at += 1 + size;
    at += 1;
  }
  return at < bytes.length;
}

/** The length of the palette that a GIF announces in this byte. */
const paletteBytes = (flags = 0): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Imports sharp with the first logo. It is native code of 20 MB, and to load it would delay every start by 60 ms. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // sharp would keep decoded pictures in memory, but the same one hardly ever comes twice in a row.
  sharp.cache(false);
  return sharp;
}

/**
 * Turns an uploaded file into the image that is stored and served: same format, upright, in sRGB, without metadata; of an
 * animation, the first frame. With the same version of the encoder, the same file gives the same hash.
 *
 * Guarantees: the content alone decides on the format; the size is read from the header before anything is decoded; only
 * one call at a time decodes, and callers take turns.
 *
 * @throws LogoFormatError if it is no PNG, JPEG, WebP or GIF, is broken or cut short, has a side over 4096 pixels,
 *   takes more than 15 seconds, or would be stored in more than `mostStoredBytes`.
 * @throws LogoWaitError if its turn does not come in 5 seconds.
 */
export async function normaliseLogo({
  bytes,
  caller,
  mostStoredBytes,
}: Pick<HeldFile, 'bytes' | 'caller' | 'mostStoredBytes'>): Promise<LogoImage> {
  try {
    const { format, isApng } = await recognise(bytes);
    const { encoded, pages = 1 } = await reencode(bytes, format, caller);
    if (encoded.length > mostStoredBytes) throw new LogoFormatError('The logo grows too large.');
    const hash = createHash('sha256').update(encoded).digest('hex');
    return {
      bytes: encoded,
      contentType: `image/${format.name}`,
      hash,
      isAnimated: isApng || pages > 1,
    };
  } catch (cause) {
    if (cause instanceof LogoFormatError || cause instanceof LogoWaitError) throw cause;
    throw new LogoFormatError('The logo cannot be decoded.', { cause });
  }
}

/** The caller of all pictures of an import. Its process has no other. */
export const importer = 'import';

/**
 * The image of a file that another gateway has stored by {@link normaliseLogo}. Its bytes stay as they are; they are decoded
 * within the same bounds, as a check. It may have any size: gateways of former versions stored it without a bound.
 * @param file.hash SHA-256 of its bytes, in hexadecimal
 * @param options.isChecked whether these bytes have been decoded before, so that the check is left out
 * @throws LogoFormatError as {@link normaliseLogo}, LogoWaitError
 */
export async function checkLogo(
  { bytes, hash }: Pick<LogoImage, 'bytes' | 'hash'>,
  { isChecked }: { isChecked: boolean },
): Promise<LogoImage> {
  const { format } = await recognise(bytes);
  if (!isChecked) await normaliseLogo({ bytes, caller: importer, mostStoredBytes: Infinity });
  return { bytes, contentType: `image/${format.name}`, hash };
}

/** Finds the format before sharp sees the file: sharp would open an SVG or a PDF only to read its size. */
async function recognise(bytes: Buffer): Promise<{ format: Format; isApng: boolean }> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  const isApng = type?.mime === 'image/apng';
  const contentType = isApng ? 'image/png' : type?.mime;
  const format = FORMATS.find(({ name }) => `image/${name}` === contentType);
  if (!format) throw new LogoFormatError('The logo is not a PNG, JPEG, WebP or GIF image.');
  if (!format.isSound(bytes))
    throw new LogoFormatError('The logo is cut short, or has too many scans or texts.');
  return { format, isApng };
}

async function reencode(
  bytes: Buffer,
  format: Format,
  caller: string,
): Promise<Pick<Metadata, 'pages'> & { encoded: Buffer }> {
  const sharp = await loadSharp();
  return decodeInTurn(caller, async () => {
    // A stricter failOn would refuse photographs for flaws that no viewer shows.
    const image = sharp(bytes, { limitInputPixels: maxSidePixels ** 2, failOn: 'error' });
    // To read the header costs memory too: all that it says of colours and texts is read with it.
    const header = await image.metadata();
    if (header.format !== format.name) throw new LogoFormatError('The logo is ambiguous about its format.');
    if (Math.max(header.width, header.height) > maxSidePixels)
      throw new LogoFormatError(`The logo has a side of more than ${maxSidePixels} pixels.`);
    const encoding = format.encode(image.autoOrient(), header).timeout({ seconds: MAX_PROCESSING_SECONDS });
    return { encoded: await encoding.toBuffer(), pages: header.pages };
  });
}
