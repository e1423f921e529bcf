import { readFileSync } from 'node:fs';

/** `schema/contract.md`. */
export const contract = readFileSync(new URL('../../schema/contract.md', import.meta.url), 'utf8');

/** The text of a statement, with its tables. Throws if the contract has no such statement. */
export function statement(number: string): string {
  const text = contract.split(`\n- **${number}** `)[1]?.split(/\n(?:- \*\*|#)/)[0];
  if (text === undefined) throw new Error(`The contract has no statement ${number}`);
  return text;
}
