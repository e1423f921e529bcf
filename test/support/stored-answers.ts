/** `npm run answers` sets WRITE_ANSWERS=1: the tests then write the answers instead of comparing them. */
export const isWriting = process.env.WRITE_ANSWERS === '1';

/** @throws Error if the answer is a failure of the gateway, which must not become the stored answer */
export function assertNoFailure(name: string, answer: unknown): void {
  const [failure] =
    /"status":5\d\d|"error":"(internal-error|service-unavailable)"/.exec(JSON.stringify(answer)) ?? [];
  if (failure) throw new Error(`${name} failed with ${failure}; its answer is not stored`);
}
