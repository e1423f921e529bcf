import { unavailable } from '../../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../../errors/field-fault.js';
import { LogoFormatError, LogoWaitError } from './logo-errors.js';
import { type LogoImage, maxSidePixels, normaliseLogo } from './logo-image.js';
import { type HeldFile } from './logo-intake.js';

/** What became of the file of a request: an image, or the fault of the field. Neither if there was no file. */
export interface LogoRead {
  image?: LogoImage;
  faults: FieldFault[];
}

/** The fault of a file that cannot be kept as a logo. */
export const malformedLogo = ({ mostStoredBytes: bytes }: Pick<HeldFile, 'mostStoredBytes'>): FieldFault => {
  const [en, fr] = Number.isFinite(bytes)
    ? [
        `, and of at most ${bytes} bytes when it is encoded again`,
        `, et d’au plus ${bytes} octets une fois réencodée`,
      ]
    : ['', ''];
  return fieldFault.format('logo', {
    en: `a whole PNG, JPEG, WebP or GIF image of at most ${maxSidePixels} pixels a side${en}`,
    fr: `une image PNG, JPEG, WebP ou GIF entière d’au plus ${maxSidePixels} pixels de côté${fr}`,
  });
};

/**
 * Turns the file that a caller sends into a logo (Contract 4.1.7).
 * @param onShed called if it is refused because too many wait to be decoded
 * @throws DomainError service-unavailable then (Contract 4.1.7.9)
 */
export async function readLogo(
  upload: Promise<HeldFile> | null | undefined,
  onShed: () => void,
): Promise<LogoRead> {
  if (!upload) return { faults: [] };
  const file = await upload;
  try {
    const image = await normaliseLogo(file);
    await file.holdMore(image.bytes.length);
    return { image, faults: [] };
  } catch (error) {
    if (error instanceof LogoFormatError) return { faults: [malformedLogo(file)] };
    if (!(error instanceof LogoWaitError)) throw error;
    onShed();
    throw unavailable(error, 5);
  }
}
