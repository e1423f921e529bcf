import { readsAsSystem, systemActor } from '../access/caller.js';
import { usageFault } from './command.js';

/** The name in `--actor`, for the history (Contract 12.3.5, 12.5.1). @throws Error for none, and for the gateway's own */
export function readActor(syntax: Parameters<typeof usageFault>[0], given: string): string {
  const actor = given.trim();
  if (actor === '' || readsAsSystem(actor))
    throw usageFault(syntax, `--actor is a name, and not ${systemActor}, which is the gateway itself.`);
  return actor;
}
