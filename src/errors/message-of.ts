/** The message of an error, followed by those of its causes where they say more. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const chain = new Set<Error>();
  // An error may be the cause of its own cause.
  for (let each: unknown = error; each instanceof Error && !chain.has(each); each = each.cause)
    chain.add(each);
  return [...chain]
    .map(ownMessage)
    .reduceRight((causes, own) => (own.includes(causes) ? own : `${own}: ${causes}`));
}

/** If fetch cannot connect, the reason stands in the cause of its cause, and sometimes only as a code. */
const ownMessage = ({ message, code, name }: NodeJS.ErrnoException): string => message || code || name;
