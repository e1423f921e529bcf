import { type FastifyRequest } from 'fastify';
import { Upload } from 'graphql-upload-minimal';
import { Readable } from 'node:stream';
import { Budget } from '../company/logo/budget.js';
import { LogoTooLargeError } from '../company/logo/logo-too-large-error.js';
import { readBounded } from '../company/logo/read-bounded.js';
import { type UploadedFile } from '../company/logo/uploaded-file.js';
import { DomainError } from '../errors/domain-error.js';
import { addField, type BodyFields, fieldsOf, mostFields } from './read-form.js';

/** Files of all requests together hold this much; beyond it they wait in their sockets. */
const mostBytesHeld = 64 * 2 ** 20;

/** Reads `multipart/form-data`: fields may follow the file, so the file is held until all have come. */
export class MultipartReader {
  private readonly held = new Budget(mostBytesHeld);

  constructor(private readonly limits: { fileBytes: number; fieldBytes: number }) {}

  /**
   * @param use called with the fields, a file among them as what the Upload scalar takes; what the file holds is released after
   * @throws DomainError body-format-error, payload-too-large
   */
  async read<T>(request: FastifyRequest, use: (body: BodyFields) => Promise<T>): Promise<T> {
    const share = this.held.open();
    try {
      return await use(await this.readParts(request, (bytes) => share.take(bytes)));
    } finally {
      share.release();
    }
  }

  private async readParts(
    request: FastifyRequest,
    hold: (bytes: number) => Promise<void>,
  ): Promise<BodyFields> {
    const { fileBytes, fieldBytes } = this.limits;
    const texts = new Map<string, string[]>();
    const files: BodyFields = {};
    let textBytes = 0;
    try {
      const limits = {
        fileSize: fileBytes,
        fieldSize: fieldBytes,
        fields: mostFields,
        files: 1,
        parts: mostFields + 1,
      };
      for await (const part of request.parts({ limits })) {
        if (part.type === 'file') {
          files[part.fieldname] = uploadOf(await readBounded(part.file, fileBytes, hold));
          continue;
        }
        const value = String(part.value);
        textBytes += Buffer.byteLength(value);
        if (part.valueTruncated || textBytes > fieldBytes) throw new DomainError('payload-too-large');
        addField(texts, part.fieldname, value);
      }
    } catch (error) {
      throw multipartError(error);
    }
    return { ...fieldsOf(texts), ...files };
  }
}

/** What the Upload scalar takes. */
function uploadOf(bytes: Buffer): Upload {
  const upload = new Upload();
  const file: UploadedFile = { createReadStream: () => Readable.from([bytes]) };
  (upload as unknown as { resolve(file: UploadedFile): void }).resolve(file);
  return upload;
}

function multipartError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const { code = '' } = error as { code?: string };
  const isTooLarge =
    error instanceof LogoTooLargeError ||
    /^FST_(REQ_FILE_TOO_LARGE|FILES_LIMIT|PARTS_LIMIT|FIELDS_LIMIT)$/.test(code);
  return new DomainError(isTooLarge ? 'payload-too-large' : 'body-format-error', { cause: error });
}
