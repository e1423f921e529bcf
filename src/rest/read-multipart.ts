import { type FastifyRequest } from 'fastify';
import { Upload } from 'graphql-upload-minimal';
import { malformedPart, uploadError } from '../company/logo/logo-errors.js';
import { type HeldFile, type Hold, type LogoIntake } from '../company/logo/logo-intake.js';
import { readBounded } from '../company/logo/read-bounded.js';
import { DomainError, tooLarge, unreadable } from '../errors/domain-error.js';
import { excerpt } from '../errors/messages.js';
import { assertMultipart, assertPlainPart } from '../http/read-request.js';
import { decodeUtf8, parseJson } from '../text/read-json.js';
import { partsOf } from './multipart-parts.js';
import { addField, type BodyFields, fieldsOf } from './read-body.js';

const fileField = 'logo';

/** In UTF-16 units. */
const longestName = 1_000;

/** Any control character except a tab. */
// eslint-disable-next-line no-control-regex
const controlCharacter = /[\0-\x08\n-\x1f\x7f]/;

/** Stands for a file that is not the logo: no field accepts an object. */
const unwantedFile = {};

/**
 * Calls `use` with the fields. The logo is an `Upload`, held in memory until `use` ends, because fields can follow the file.
 * @param options.fieldBytes the maximum bytes of names, texts and all files except the logo
 * @throws DomainError content-type-not-supported; body-format-error; payload-too-large as soon as a limit is exceeded
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
      en: `${field.en} and the fields before it together`,
      fr: `le total de ${field.fr} et des champs précédents`,
    });
  };
  try {
    for await (const part of partsOf(request.raw)) {
      const { name, isFile, fileName, contentType, stream } = part;
      assertPlainPart(part.transferEncoding);
      if (typeof name !== 'string') throw new DomainError('body-format-error');
      // The parser truncates long headers, so a long name could arrive as the name of another field.
      if (name.length > longestName) throw nameTooLong();
      // As the GraphQL API’s parser does.
      if (fileName !== undefined && controlCharacter.test(fileName)) throw malformedPart();
      field = { en: excerpt(name), fr: excerpt(name) };
      spend(Buffer.byteLength(name));
      if (!isFile) {
        const text = decodeUtf8(await readBounded(stream, Infinity, spend), field);
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

function uploadOf(file: HeldFile): Upload {
  const upload = new Upload();
  (upload as unknown as { resolve(file: HeldFile): void }).resolve(file);
  return upload;
}
