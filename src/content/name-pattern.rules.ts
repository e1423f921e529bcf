/** In code points. No name is as long, so a text that is cut to this is found nowhere. A database refuses far longer ones. */
const longestPattern = 256;

/** A pattern for names that hold this text anywhere, in upper or lower case. No character of the text has a special meaning. */
export function namePattern(text: string): RegExp {
  // No name has control characters, and the database refuses a pattern with a NUL.
  const points = [...text.replace(/\p{Cc}/gu, '').trim()].slice(0, longestPattern);
  return new RegExp(points.join('').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
}
