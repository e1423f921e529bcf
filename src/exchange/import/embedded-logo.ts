import { createHash } from 'node:crypto';
import { LogoFormatError } from '../../company/logo/logo-errors.js';
import { checkLogo, importer, type LogoImage, reencodeLogo } from '../../company/logo/logo-image.js';
import { mostStoredBytes } from '../../company/logo/logo-intake.js';
import { sizeOf } from '../../errors/field-fault.js';
import { fault, type LineFault } from '../read-line.js';
import { type EmbeddedLogo } from '../line-format.js';
import { type ImportContext } from './plan.js';

const malformed = (what: string) => ({ fault: fault.mustBe('logo', what) });

/**
 * A file with a hash comes from an export and can be larger than an upload. It is decoded as a check but stored unchanged: re-encoding
 * would change the hash. A file without a hash is treated as an upload.
 */
export async function readEmbeddedLogo(
  { sha256, base64: bytes }: EmbeddedLogo,
  { isSecondPass, settings: { logoMaxBytes } }: Pick<ImportContext, 'isSecondPass' | 'settings'>,
): Promise<{ image: LogoImage } | { fault: LineFault }> {
  const mostBytes = sha256 === undefined ? mostStoredBytes(logoMaxBytes) : Infinity;
  const file = { bytes, caller: importer, mostStoredBytes: mostBytes };
  try {
    if (sha256 === undefined)
      return bytes.length > logoMaxBytes
        ? malformed(`at most ${sizeOf(logoMaxBytes).en}, unless its SHA-256 is given`)
        : { image: await reencodeLogo(file) };
    const hash = createHash('sha256').update(bytes).digest('hex');
    return sha256.toLowerCase() === hash
      ? { image: await checkLogo({ bytes, hash }, { isChecked: isSecondPass }) }
      : malformed('a file with the given SHA-256');
  } catch (error) {
    if (error instanceof LogoFormatError) return { fault: fault.fromRules(error.fault) };
    throw error;
  }
}
