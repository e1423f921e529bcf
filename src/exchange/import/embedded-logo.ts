import { createHash } from 'node:crypto';
import { LogoFormatError } from '../../company/logo/logo-errors.js';
import { checkLogo, importer, type LogoImage, normaliseLogo } from '../../company/logo/logo-image.js';
import { malformedLogo } from '../../company/logo/logo.service.js';
import { fault, type LineFault } from '../read-line.js';
import { ShapeError } from '../shape.js';

const longestBytes = 10_485_760;

const malformed = (what: string) => ({ fault: fault.of('logo', new ShapeError(what)) });

/**
 * The image of an embedded file. A file with its hash was exported by a gateway: it is decoded as a check but kept as it is,
 * since encoding it again would change it. A file without a hash is treated as an upload.
 * @param isChecked whether the same file has been decoded before
 */
export async function readEmbeddedLogo(
  { sha256, base64 }: { sha256?: string; base64: string },
  isChecked: boolean,
): Promise<{ image: LogoImage } | { fault: LineFault }> {
  const bytes = Buffer.from(base64, 'base64');
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (bytes.length > longestBytes) return malformed(`of at most ${longestBytes / 1_048_576} MiB`);
  if (sha256 !== undefined && sha256.toLowerCase() !== hash)
    return malformed('the file whose SHA-256 it gives');
  try {
    return {
      image:
        sha256 === undefined
          ? await normaliseLogo({ bytes, caller: importer })
          : await checkLogo(bytes, { isChecked }),
    };
  } catch (error) {
    if (error instanceof LogoFormatError) return { fault: fault.fromRules(malformedLogo) };
    throw error;
  }
}
