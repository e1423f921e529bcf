/** What was sent is not a logo that can be kept: not PNG, JPEG, WebP or GIF, broken, cut short or too large a picture. */
export class LogoFormatError extends Error {
  override readonly name = 'LogoFormatError';
}
