/**
 * In code points. Every name is shorter, so neither a longer text nor its start matches any name. Databases reject much longer patterns.
 */
const longestPattern = 256;

/** In UTF-16 units, with room for control characters. Limits the work: one request can pass the same text of 1 MiB to many fields. */
const longestText = 4 * longestPattern;

/**
 * Matches names that contain this text, ignoring case. Accents match composed and decomposed: macOS types é as e plus a combining mark.
 * Every character is literal.
 */
export function namePattern(text: string): RegExp {
  const head = text.trim().slice(0, longestText);
  // Names have no control characters, and the database rejects a pattern that contains NUL.
  const cut = [...head.replace(/\p{Cc}/gu, '').trim()].slice(0, longestPattern).join('');
  const forms = [...new Set([cut, cut.normalize('NFC'), cut.normalize('NFD')])];
  return new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'i');
}
