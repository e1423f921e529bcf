/** The message of an error, followed by those of its causes where they say more. */
export function messageOf(error: unknown): string {
  const chain = new Set<Error>();
  // An error may be the cause of its own cause.
  for (let each = error; isErrorLike(each) && !chain.has(each); each = each.cause) chain.add(each);
  if (chain.size === 0) return String(error);
  return [...chain]
    .map(ownMessage)
    .reduceRight((causes, own) => (own.includes(causes) ? own : `${own}: ${causes}`));
}

/** Not every error is an instance of our `Error`: some are made in another context, or by hand. */
const isErrorLike = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/** If fetch cannot connect, the reason stands in the cause of its cause, and sometimes only as a code. */
const ownMessage = ({ message, code, name }: NodeJS.ErrnoException): string => message || code || name;
