/** The longest piece of a caller's text that a message quotes, in UTF-16 units. */
const longestExcerpt = 40;

/** Cuts a caller's text so that a message may quote it; `…` marks the cut (Contract 8.6.8). Default: 40 UTF-16 units. */
export const excerpt = (text: string, most = longestExcerpt): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** Makes a text safe to print on a terminal: invisible characters could clear the screen or fake another line. */
export const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const visibleExcerpt = (text: string): string => visible(excerpt(text));
