import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { readBounded } from './read-bounded.js';
import { uploadError } from './upload-error.js';
import { type UploadedFile } from './uploaded-file.js';

/** Reads an upload whole, so that its content is known before it is used. @throws DomainError as uploadError says */
export async function holdUpload(
  upload: Promise<UploadedFile>,
  maxBytes: number,
): Promise<{ upload: Promise<UploadedFile>; digest: string }> {
  try {
    const bytes = await readBounded((await upload).createReadStream(), maxBytes);
    return {
      upload: Promise.resolve({ createReadStream: () => Readable.from([bytes]) }),
      digest: createHash('sha256').update(bytes).digest('base64url'),
    };
  } catch (error) {
    throw uploadError(error);
  }
}
