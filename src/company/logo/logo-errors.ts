/** The file is no logo that can be kept: not a PNG, JPEG, WebP or GIF, broken, cut short, or too large a picture. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
}

/** The file is larger than `maxBytes`. How much larger is unknown: the rest was not read. */
export class LogoTooLargeError extends Error {
  override readonly name = 'LogoTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`The logo is larger than ${maxBytes} bytes.`);
  }
}

/** The picture waited too long for its turn to be decoded. */
export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}
