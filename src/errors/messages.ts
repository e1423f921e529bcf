/** An error's message, followed by the messages of its causes unless it contains them. */
export function messageWithCauses(error: unknown): string {
  const chain = new Set<Error>();
  // Causes can form a cycle.
  for (let each = error; isErrorLike(each) && !chain.has(each); each = each.cause) chain.add(each);
  if (chain.size === 0) return String(error);
  return [...chain]
    .map(ownMessage)
    .reduceRight((causes, own) => (own.includes(causes) ? own : `${own}: ${causes}`));
}

/** Don't use `instanceof Error`: some errors come from another realm or are plain objects. */
const isErrorLike = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** When fetch cannot connect, the innermost cause may have a code but no message. */
const ownMessage = ({ message, code, name }: NodeJS.ErrnoException): string => message || code || name;

const longestExcerpt = 40;

/** Cuts a caller's text to `most` UTF-16 units, so that a message may quote it. */
export const excerpt = (text: string, most = longestExcerpt): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** Replaces invisible characters, which could clear a terminal's screen or fake another line. */
export const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const visibleExcerpt = (text: string): string => visible(excerpt(text));
