/** In code points. No name is as long, so a text that is cut to this is found nowhere. A database refuses far longer ones. */
const longestPattern = 256;

/** In UTF-16 units, with room for what is left out. One request may have a text of a MiB for many fields. */
const longestText = 4 * longestPattern;

/**
 * A pattern for names that hold this text anywhere, in upper or lower case, accents composed or not: macOS writes é as e and a
 * mark. No character of the text has a special meaning.
 */
export function namePattern(text: string): RegExp {
  const head = text.trim().slice(0, longestText);
  // No name has control characters, and the database refuses a pattern with a NUL.
  const cut = [...head.replace(/\p{Cc}/gu, '').trim()].slice(0, longestPattern).join('');
  const forms = [...new Set([cut, cut.normalize('NFC'), cut.normalize('NFD')])];
  return new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'i');
}
