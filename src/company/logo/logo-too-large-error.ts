/** The file sent is larger than `maxBytes`; how much larger was not waited for. */
export class LogoTooLargeError extends Error {
  override readonly name = 'LogoTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`The logo is larger than ${maxBytes} bytes.`);
  }
}
