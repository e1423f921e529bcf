import { createHash } from 'node:crypto';
import { type Metadata, type Sharp } from 'sharp';
import { type LocalisedText } from '../../errors/catalogue.js';
import { type Expected } from '../../errors/field-fault.js';
import { LogoFormatError, logoFaults, LogoWaitError } from './logo-errors.js';
import { messageWithCauses } from '../../errors/messages.js';
import { turns } from '../../turns.js';
import { type HeldFile } from './logo-intake.js';

/**
 * Decodes one picture at a time: the worst WebP takes up to 750 MiB. Callers take turns, however many pictures each sends. Throws a
 * LogoWaitError if the turn does not come within 5 s: ordinary pictures decode in a few hundredths of a second, the slowest in 5 or 6 s, so
 * pictures then probably arrive faster than they can be decoded.
 */
export const decodeInTurn = turns({
  concurrency: 1,
  longestWaitMs: 5_000,
  late: () => new LogoWaitError('waited too long for other pictures to be decoded'),
});

export interface LogoImage {
  bytes: Buffer;
  contentType: `image/${ImageFormat['name']}`;
  /** SHA-256 of `bytes`, in hexadecimal. */
  hash: string;
  /** Only the first frame is kept. */
  isAnimated?: boolean;
}

interface ImageFormat {
  /** sharp's name for the format. */
  name: 'png' | 'jpeg' | 'webp' | 'gif';
  /**
   * What to decode of a file. The decoder of WebP makes these checks itself.
   * @throws LogoFormatError if the file lacks its end marker, or has too many scans, which take few bytes but much of the decoder's time
   */
  pictureIn: (bytes: Buffer) => Buffer;
  encode: (image: Sharp, header: Metadata) => Sharp;
}

export const maxSidePixels = 4_096;
/** The slowest allowed pictures that we know, WebP and GIF files with 16 million pixels of noise, take 5 or 6 s. */
const MAX_PROCESSING_SECONDS = 15;
/** IEND */
const PNG_END = 0x49454e44;
/** The chunks that decide how a PNG looks. The decoder would also inflate texts, each from some kB to 50 MB. */
const PNG_CHUNKS = new Set(
  ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'eXIf'].map(
    (type) => Buffer.from(type).readUInt32BE(),
  ),
);
/**
 * Encoders write about a dozen scans. A hundred scans take 3 s to decode, and 200 kB can hold thousands. The decoder checks its timeout
 * only after it has read all scans.
 */
const MOST_SCANS = 100;
const JPEG_MARK = 0xff;
const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;
const GIF_END = 0x3b;
const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;

function fail(says: Expected): never {
  throw new LogoFormatError(says);
}

const FORMATS: ImageFormat[] = [
  {
    name: 'png',
    pictureIn: pngPicture,
    // Filters make a smooth picture four times smaller, but a palette picture twice as large.
    encode: (image, { isPalette }) => image.png({ adaptiveFiltering: !isPalette }),
  },
  {
    name: 'jpeg',
    // The decoder does not look for the end marker.
    pictureIn: jpegPicture,
    encode: (image) => image.jpeg({ quality: 90 }),
  },
  {
    name: 'webp',
    pictureIn: (bytes) => bytes,
    // Takes half the time of the default effort, for files a tenth larger.
    encode: (image) => image.webp({ quality: 90, effort: 2 }),
  },
  {
    name: 'gif',
    pictureIn: (bytes) => (hasGifEnd(bytes) ? bytes : fail(logoFaults.broken)),
    // sharp rounds the colours if it reuses the file's palette. A palette built from the pixels is exact.
    encode: (image) => image.gif({ reuse: false }),
  },
];

/** The content types of logos. */
export const logoTypes = FORMATS.map(({ name }) => `image/${name}`);

/** The chunks that the decoder needs. */
function pngPicture(bytes: Buffer): Buffer {
  const picture = Buffer.allocUnsafe(bytes.length);
  let at = 8;
  let length = bytes.copy(picture, 0, 0, at);
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.readUInt32BE(at + 4);
    if (PNG_CHUNKS.has(type)) length += bytes.copy(picture, length, at, end);
    if (type === PNG_END) return picture.subarray(0, length);
    at = end;
  }
  return fail(logoFaults.broken);
}

/** Skips the content of each segment, for example a thumbnail. */
function jpegPicture(bytes: Buffer): Buffer {
  let scans = 0;
  // The first two bytes are the start marker.
  for (let at = 2; at < bytes.length; at += 1) {
    const mark = bytes[at + 1] ?? 0;
    if (bytes[at] !== JPEG_MARK || !isSegment(mark)) continue;
    if (mark === JPEG_END) return bytes;
    if (mark === JPEG_SCAN && (scans += 1) > MOST_SCANS) fail(logoFaults.scans(MOST_SCANS));
    at += 1 + (at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0);
  }
  return fail(logoFaults.broken);
}

/** Whether this marker starts a segment or ends the picture. The decoder skips other markers or rejects the file. */
const isSegment = (mark: number): boolean => mark >= 0xc0 && mark < JPEG_MARK && (mark & 0xf8) !== 0xd0;

/** Follows the blocks, because the end marker is a single byte that can also occur inside any block. */
function hasGifEnd(bytes: Buffer): boolean {
  let at = 13 + paletteBytes(bytes[10]);
  while (at < bytes.length && bytes[at] !== GIF_END) {
    const block = bytes[at];
    if (block === GIF_FRAME) at += 11 + paletteBytes(bytes[at + 9]);
    else at += block === GIF_EXTENSION ? 2 : 1;
    // No block starts here: the decoder skips the byte or rejects the file.
    if (block !== GIF_FRAME && block !== GIF_EXTENSION) continue;
    for (let size = bytes[at]; size; size = bytes[at]) at += 1 + size;
    at += 1;
  }
  return at < bytes.length;
}

/** The length of the palette that a GIF's flag byte announces. */
const paletteBytes = (flags = 0): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/**
 * Turns a file into the image that we store and serve: same format, upright, in sRGB, without metadata, and only the first frame of an
 * animation. With the same encoder version, the same file gives the same hash.
 *
 * Only the content decides the format. The size is read from the header before anything is decoded.
 *
 * @throws LogoFormatError if the file is not a PNG, JPEG, WebP or GIF, is broken or truncated, has a side over 4096 pixels, takes more
 *   than 15 s to re-encode, or exceeds `mostStoredBytes` once re-encoded
 * @throws LogoWaitError if its turn does not come within 5 s
 */
export async function reencodeLogo({
  bytes,
  caller,
  mostStoredBytes,
}: Pick<HeldFile, 'bytes' | 'caller' | 'mostStoredBytes'>): Promise<LogoImage> {
  try {
    const { format, isApng } = await recognise(bytes);
    const { encoded, pages = 1 } = await reencode(bytes, format, caller);
    if (encoded.length > mostStoredBytes) fail(logoFaults.stored(mostStoredBytes));
    const hash = createHash('sha256').update(encoded).digest('hex');
    const contentType = `image/${format.name}` as const;
    return { bytes: encoded, contentType, hash, isAnimated: isApng || pages > 1 };
  } catch (cause) {
    if (cause instanceof LogoFormatError || cause instanceof LogoWaitError) throw cause;
    throw new LogoFormatError(
      isTimeout.test(messageWithCauses(cause)) ? logoFaults.slow : logoFaults.broken,
      {
        cause,
      },
    );
  }
}

/** The decoder's own words. */
const isTimeout = /^timeout\b/;

/** The caller for all pictures of an import, which runs in its own process. */
export const importer = 'import';

/**
 * Checks a logo that another gateway stored with {@link reencodeLogo}, and keeps its bytes. The limits are the same, except the limit on
 * stored bytes, which older gateways did not have.
 * @param options.isChecked whether these bytes have been decoded before
 * @throws LogoFormatError, LogoWaitError in the same cases as {@link reencodeLogo}
 */
export async function checkLogo(
  { bytes, hash }: Pick<LogoImage, 'bytes' | 'hash'>,
  { isChecked }: { isChecked: boolean },
): Promise<LogoImage> {
  const { format } = await recognise(bytes);
  if (!isChecked) await reencodeLogo({ bytes, caller: importer, mostStoredBytes: Infinity });
  return { bytes, contentType: `image/${format.name}`, hash };
}

/** Finds the format before sharp sees the file: sharp would open an SVG or PDF just to read its size. */
async function recognise(bytes: Buffer): Promise<{ format: ImageFormat; isApng: boolean }> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  const isApng = type?.mime === 'image/apng';
  const contentType = isApng ? 'image/png' : type?.mime;
  const format = FORMATS.find(({ name }) => `image/${name}` === contentType);
  if (!format) fail(otherFormat(bytes, type?.ext));
  return { format, isApng };
}

/** The tag of an SVG follows its declarations, if it has any. */
const svgStart = /^\s*(?:<[?!](?:[^>[]*\[[^\]]*\])?[^>]*>\s*)*<svg[\s>]/i;
const longestDeclarations = 4_096;

/** @param extension undefined if the content has no known signature, like an SVG without an XML declaration */
function otherFormat(bytes: Buffer, extension: string | undefined): LocalisedText {
  if (bytes.length === 0) return logoFaults.empty;
  if (svgStart.test(bytes.toString('utf8', 0, longestDeclarations))) return logoFaults.format('SVG');
  return extension === undefined ? logoFaults.unknown : logoFaults.format(extension.toUpperCase());
}

async function reencode(bytes: Buffer, format: ImageFormat, caller: string) {
  // sharp is 20 MB of native code, and would add 60 ms to every start.
  const { default: sharp } = await import('sharp');
  // The same picture rarely comes twice in a row.
  sharp.cache(false);
  return decodeInTurn(caller, async () => {
    // A copy, so make only one at a time.
    const picture = format.pictureIn(bytes);
    // A stricter failOn rejects photographs for flaws that no viewer shows.
    // The sides are checked below, so that the refusal can name them.
    const image = sharp(picture, { limitInputPixels: false, failOn: 'error' });
    // Don't read the header before this turn: with the header, sharp loads colour profiles and metadata into memory.
    const header = await image.metadata();
    if (header.format !== format.name) fail(logoFaults.broken);
    if (Math.max(header.width, header.height) > maxSidePixels)
      fail(logoFaults.sides(header.width, header.height, maxSidePixels));
    const encoding = format.encode(image.autoOrient(), header).timeout({ seconds: MAX_PROCESSING_SECONDS });
    return { encoded: await encoding.toBuffer(), pages: header.pages };
  });
}
