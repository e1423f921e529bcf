/** No name is longer, so no more of the text is looked for. */
const longestPattern = 150;

/** A pattern for names that hold this text anywhere, in upper or lower case. No character of the text has a special meaning. */
export const namePattern = (text: string): RegExp =>
  new RegExp(
    text
      // No name has control characters, and the database refuses a pattern with a NUL.
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, longestPattern)
      .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
    'i',
  );
