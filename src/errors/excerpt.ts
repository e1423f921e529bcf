/** The most that a message repeats in one piece of what a caller sent, in UTF-16 units. */
const longestExcerpt = 40;

/** As much of what a caller sent as a message may repeat; it ends in `…` if there is more (Contract 8.6.8). */
export const excerpt = (text: string, most = longestExcerpt): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** A text as a terminal may show it: what is invisible in it could clear the screen, or look like another line. */
export const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const visibleExcerpt = (text: string): string => visible(excerpt(text));
