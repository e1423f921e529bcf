import { type LocalisedText } from '../../errors/catalogue.js';
import { DomainError, tooLarge, unreadable } from '../../errors/domain-error.js';
import { excerpt } from '../../errors/messages.js';
import { type Expected, fieldFault, type FieldFault, inGroups, sizeOf } from '../../errors/field-fault.js';

/** What is wrong with a logo, and what to choose instead. */
export const logoFaults = {
  empty: accepted('This file is empty.', 'Ce fichier est vide.'),
  unknown: accepted('This file is not an image.', 'Ce fichier n’est pas une image.'),
  broken: another('This image is incomplete or damaged.', 'Cette image est incomplète ou endommagée.'),
  slow: another('This image takes too long to read.', 'Cette image est trop longue à lire.'),
  /** @param format such as `PDF` */
  format: (format: string) =>
    accepted(`The format of this file is ${format}.`, `Le format de ce fichier est ${format}.`),
  scans: (most: number) => ({
    ...another(`This image has over ${most} scans.`, `Cette image a plus de ${most} passes.`),
    parameters: { maximumScans: most },
  }),
  sides: (width: number, height: number, most: number) => ({
    en: `This image has ${inGroups(width)} × ${inGroups(height)} pixels. Choose an image of at most ${inGroups(most)} pixels a side.`,
    fr: `Cette image a ${inGroups(width)} × ${inGroups(height)} pixels. Choisissez une image d’au plus ${inGroups(most)} pixels de côté.`,
    parameters: { maximumPixels: most },
  }),
  stored: (mostBytes: number) => ({
    ...another(
      `This image takes over ${sizeOf(mostBytes).en} when stored.`,
      `Cette image occupe plus de ${sizeOf(mostBytes).fr} une fois enregistrée.`,
    ),
    parameters: { maximumBytes: mostBytes },
  }),
};

function accepted(en: string, fr: string): LocalisedText {
  return {
    en: `${en} Choose a PNG, JPEG, WebP or GIF image.`,
    fr: `${fr} Choisissez une image PNG, JPEG, WebP ou GIF.`,
  };
}

function another(en: string, fr: string): LocalisedText {
  return { en: `${en} Choose another image.`, fr: `${fr} Choisissez une autre image.` };
}

/** A file that is not a logo. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
  readonly fault: FieldFault;

  constructor({ parameters, ...says }: Expected, options?: ErrorOptions) {
    super(says.en, options);
    this.fault = {
      field: 'logo',
      code: 'logo-format-error',
      reason: 'format',
      message: says,
      parameters,
    };
  }
}

export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}

/**
 * How far graphql-upload-minimal may read past our limit. One extra byte lets us reject a large file at once. With our own limit, the
 * library would truncate the file and report this only at the end.
 */
export const spareFileBytes = 1;

export const logoTooLarge = (maxBytes: number, cause?: unknown): DomainError =>
  tooLarge(maxBytes, { en: 'logo', fr: 'logo' }, { cause, faults: [fieldFault.tooLarge('logo', maxBytes)] });

export const malformedPart = (cause?: unknown): DomainError =>
  unreadable(
    'a part has a missing or invalid header, for example a file name with a control character',
    'une partie a un en-tête absent ou invalide, par exemple un nom de fichier avec un caractère de contrôle',
    cause,
  );

/** The error for a file that is too large, was cut off or was never sent. */
export function uploadError(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const { status, message } = cause as { status?: unknown; message?: string };
  if (message === 'Malformed part header') return malformedPart(cause);
  if (status !== 413) return new DomainError('body-format-error', { cause });
  // graphql-upload-minimal reports 413 for a large field, a large file and too many files; only the message names the case.
  const [isCut, name, bytes] =
    /^(?:The '(.*)' multipart field value|File truncated as it) exceeds the (\d+) byte/.exec(message ?? '') ??
    [];
  if (name !== undefined) return tooLarge(Number(bytes), { en: excerpt(name), fr: excerpt(name) }, { cause });
  if (isCut) return logoTooLarge(Number(bytes) - spareFileBytes, cause);
  const hint = { en: 'send at most one file', fr: 'envoyez un seul fichier' };
  return new DomainError('payload-too-large', { cause, hint });
}
