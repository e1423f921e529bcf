import { type FastifyRequest } from 'fastify';
import { Upload } from 'graphql-upload-minimal';
import { malformedPart, uploadError } from '../company/logo/logo-errors.js';
import { type HeldFile, type Hold, type LogoIntake } from '../company/logo/logo-intake.js';
import { readBounded } from '../company/logo/read-bounded.js';
import { DomainError, unreadable } from '../errors/domain-error.js';
import { excerpt } from '../errors/excerpt.js';
import { tooLarge } from '../errors/too-large.js';
import { assertMultipart } from '../http/body-parsers.js';
import { decodeUtf8, parseJson } from '../decoding/read-json.js';
import { partsOf } from './multipart-parts.js';
import { addField, type BodyFields, fieldsOf } from './read-body.js';

/** The one field that is a file. */
const fileField = 'logo';

/** The longest name of a field, in UTF-16 units (Contract 4.3.5). Documented names have less than thirty. */
const longestName = 1_000;

/** Any control character but a tab. */
// eslint-disable-next-line no-control-regex
const controlCharacter = /[\0-\x08\n-\x1f\x7f]/;

/** Stands for a file in a field that takes none. It is no text, so every such field refuses it. */
const unwantedFile = {};

/**
 * Reads `multipart/form-data` and calls `use` with the fields, the logo as the Upload scalar takes it. The logo is held until all
 * fields have come, since some may follow it, and its memory given back once `use` ends.
 * @param options.fieldBytes the most that everything but the logo may have
 * @throws DomainError payload-too-large at the byte too many, body-format-error, content-type-not-supported
 */
export async function readMultipart<T>(
  request: FastifyRequest,
  { intake, fieldBytes }: { intake: LogoIntake; fieldBytes: number },
  use: (body: BodyFields) => Promise<T>,
): Promise<T> {
  assertMultipart(request.headers['content-type']);
  const caller = request.caller?.subject ?? '';
  return intake.lend(caller, async (hold) => use(await readParts(request, fieldBytes, hold)));
}

async function readParts(request: FastifyRequest, fieldBytes: number, hold: Hold): Promise<BodyFields> {
  const fields = new Map<string, unknown[]>();
  let spareBytes = fieldBytes;
  let field = { en: '', fr: '' };
  const spend = (bytes: number) => {
    if ((spareBytes -= bytes) >= 0) return;
    throw tooLarge(fieldBytes, {
      en: `${field.en} and the fields before it`,
      fr: `${field.fr} avec les champs qui précèdent`,
    });
  };
  try {
    for await (const { name, isFile, fileName, contentType, stream } of partsOf(request.raw)) {
      if (typeof name !== 'string') throw new DomainError('body-format-error');
      // The parser cuts a header that is too long, and the name in it.
      if (name.length > longestName) throw nameTooLong();
      // The parser of the GraphQL API takes no such header, so neither API does (Contract 1.2).
      if (fileName !== undefined && controlCharacter.test(fileName)) throw malformedPart();
      field = { en: excerpt(name), fr: excerpt(name) };
      spend(Buffer.byteLength(name));
      if (!isFile) {
        const text = decodeUtf8(await readBounded(stream, Infinity, spend), { of: field });
        addField(fields, name, contentType === 'application/json' ? parseJson(text) : text);
      } else if (name === fileField && !fields.has(fileField)) {
        addField(fields, name, uploadOf(await hold({ filename: fileName, createReadStream: () => stream })));
      } else {
        await readBounded(stream, Infinity, spend);
        addField(fields, name, unwantedFile);
      }
    }
  } catch (error) {
    throw uploadError(error);
  }
  return fieldsOf(fields);
}

const nameTooLong = () =>
  unreadable(
    `the name of a field has more than ${longestName} characters`,
    `le nom d’un champ a plus de ${longestName} caractères`,
  );

/** What the Upload scalar takes. */
function uploadOf(file: HeldFile): Upload {
  const upload = new Upload();
  (upload as unknown as { resolve(file: HeldFile): void }).resolve(file);
  return upload;
}
