/** More of a name than this is not looked for; no name is longer. */
const longestPattern = 150;

/** A pattern that finds names with this text anywhere in them, whatever the case; the text stands for itself. */
export const namePattern = (text: string): RegExp =>
  new RegExp(
    text
      // No name has control characters, and the database takes no pattern with a NUL.
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, longestPattern)
      .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
    'i',
  );
