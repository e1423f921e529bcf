/** The most that a message repeats in one piece of what a caller sent, in UTF-16 units. */
const longestExcerpt = 40;

/** The beginning of what a caller sent, as far as a message may repeat it, and a sign where there is more (Contract 8.6.8). */
export const excerpt = (text: string, most = longestExcerpt): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
