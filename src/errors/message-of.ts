/** The message of an error, followed by its cause's message where that says more. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If fetch cannot connect, the reason stands in the cause of its cause, and sometimes only as a code.
  const { code } = error as NodeJS.ErrnoException;
  const own = error.message || code || error.name;
  const cause = error.cause instanceof Error ? messageOf(error.cause) : '';
  return cause === '' || own.includes(cause) ? own : `${own}: ${cause}`;
}
