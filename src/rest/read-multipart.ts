import { type FastifyRequest } from 'fastify';
import { Upload } from 'graphql-upload-minimal';
import { type Readable } from 'node:stream';
import { type Hold, type LogoIntake } from '../company/logo/logo-intake.js';
import { uploadError } from '../company/logo/upload-error.js';
import { type HeldFile } from '../company/logo/uploaded-file.js';
import { DomainError } from '../errors/domain-error.js';
import { mostFields } from '../http/read-json.js';
import { addField, type BodyFields, fieldsOf } from './read-form.js';

/** The one field that is a file. */
const fileField = 'logo';

/** What stands for a file where none is wanted: no text, whatever the field. */
const unwantedFile = {};

/** Reads `multipart/form-data`: fields may follow the file, so the file is held until all have come. */
export class MultipartReader {
  /** @param fieldBytes the most that everything but the logo may have */
  constructor(
    private readonly intake: LogoIntake,
    private readonly fieldBytes: number,
  ) {}

  /**
   * Calls `use` with the fields, the logo as what the Upload scalar takes; what the file holds is given back after.
   * @throws DomainError payload-too-large, as soon as one byte too many has come; body-format-error
   */
  async read<T>(request: FastifyRequest, use: (body: BodyFields) => Promise<T>): Promise<T> {
    const caller = request.caller?.subject ?? '';
    return this.intake.lend(caller, async (hold) => use(await this.readParts(request, hold)));
  }

  private async readParts(request: FastifyRequest, hold: Hold): Promise<BodyFields> {
    const fields = new Map<string, unknown[]>();
    let spareBytes = this.fieldBytes;
    const spend = (bytes: number) => {
      if ((spareBytes -= bytes) < 0) throw new DomainError('payload-too-large');
    };
    // A parser that cut a file at the bound itself would tell only at the file's end.
    const limits = {
      fileSize: Infinity,
      fieldSize: this.fieldBytes,
      fields: mostFields,
      files: mostFields,
      parts: mostFields,
    };
    try {
      for await (const part of request.parts({ limits })) {
        if (typeof part.fieldname !== 'string') throw new DomainError('body-format-error');
        spend(Buffer.byteLength(part.fieldname));
        if (part.type === 'field') {
          addField(fields, part.fieldname, textOf(part, spend));
        } else if (part.fieldname === fileField && !fields.has(fileField)) {
          const { file } = part;
          addField(fields, fileField, uploadOf(await hold({ createReadStream: () => file })));
        } else {
          await discard(part.file, spend);
          addField(fields, part.fieldname, unwantedFile);
        }
      }
    } catch (error) {
      throw error instanceof DomainError ? error : uploadError(error);
    }
    return fieldsOf(fields);
  }
}

/** The value of a field; one that says that it is JSON has been parsed. */
function textOf(
  { value, valueTruncated }: { value: unknown; valueTruncated: boolean },
  spend: (bytes: number) => void,
): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  spend(Buffer.byteLength(text));
  if (valueTruncated) throw new DomainError('payload-too-large');
  // What was no UTF-8 has come out as U+FFFD; stored, it would be lost without a word.
  if (text.includes('\uFFFD')) throw new DomainError('body-format-error');
  return value;
}

async function discard(file: Readable, spend: (bytes: number) => void): Promise<void> {
  try {
    for await (const piece of file.iterator({ destroyOnReturn: false })) spend((piece as Buffer).length);
  } catch (error) {
    // Left unread, it would hold up the connection.
    file.on('error', () => undefined).resume();
    throw error;
  }
}

/** What the Upload scalar takes. */
function uploadOf(file: HeldFile): Upload {
  const upload = new Upload();
  (upload as unknown as { resolve(file: HeldFile): void }).resolve(file);
  return upload;
}
