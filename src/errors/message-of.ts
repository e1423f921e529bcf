/** An error's message, followed by the messages of its causes unless it contains them. */
export function messageOf(error: unknown): string {
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
