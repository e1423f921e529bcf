/** The turn of a picture to be decoded did not come in time. */
export class LogoWaitError extends Error {
  override readonly name = 'LogoWaitError';
}
