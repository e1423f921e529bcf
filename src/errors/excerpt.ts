const longestExcerpt = 40;

/** Cuts a caller's text to `most` UTF-16 units, so that a message may quote it (Contract 8.6.8). */
export const excerpt = (text: string, most = longestExcerpt): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** Replaces invisible characters, which could clear a terminal's screen or fake another line. */
export const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const visibleExcerpt = (text: string): string => visible(excerpt(text));
