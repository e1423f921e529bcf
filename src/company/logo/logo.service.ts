import { unavailable } from '../../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../../errors/field-fault.js';
import { LogoFormatError, LogoWaitError } from './logo-errors.js';
import { type LogoImage, reencodeLogo } from './logo-image.js';
import { type HeldFile } from './logo-intake.js';

/** An image, or the field's faults; neither if the request had no file. */
export interface LogoRead {
  image?: LogoImage;
  faults: readonly FieldFault[];
}

/** An unchosen file is null in some forms, so a null file does not clear the logo. */
const noFile = fieldFault.notClearable('logo', 'file');

/**
 * Reads an uploaded logo.
 * @param onShed called if the file waited too long for the decoder
 * @throws DomainError service-unavailable in that case
 */
export async function readLogo(
  upload: Promise<HeldFile> | null | undefined,
  onShed: () => void,
): Promise<LogoRead> {
  if (upload === null) return { faults: [noFile] };
  if (!upload) return { faults: [] };
  const file = await upload;
  try {
    const image = await reencodeLogo(file);
    await file.holdMore(image.bytes.length);
    return { image, faults: [] };
  } catch (error) {
    if (error instanceof LogoFormatError) return { faults: [error.fault] };
    if (!(error instanceof LogoWaitError)) throw error;
    onShed();
    throw unavailable(error, 5);
  }
}
