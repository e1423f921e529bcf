import { type BsonDocument } from '../values/document.js';
import { notSupported, StoreError } from '../values/store-error.js';
import { assertOptions, type Command, type CommandContext } from './command.js';
import { connectionCommands } from './connection.js';
import { readCommands } from './read.js';
import { schemaCommands } from './schema.js';
import { writeCommands } from './write.js';

const commands = new Map<string, Command>(
  Object.entries({ ...connectionCommands, ...readCommands, ...writeCommands, ...schemaCommands }),
);
/** Options that every command accepts and ignores, because they change nothing for a single process. */
const COMMON_OPTIONS =
  '$db lsid $clusterTime $readPreference readConcern writeConcern maxTimeMS comment apiVersion apiStrict apiDeprecationErrors';

/** Returns a reply for a rejected command; throws only for a bug in the store. */
export function runCommand(
  readCommand: () => BsonDocument,
  services: Omit<CommandContext, 'database'>,
): BsonDocument {
  try {
    const command = readCommand();
    const name = Object.keys(command)[0] ?? '';
    const known = commands.get(name);
    if (known === undefined) throw notSupported(`The command ${name}`);
    assertOptions(name, command, `${name} ${known.options} ${COMMON_OPTIONS}`);
    return { ...known.run(command, { ...services, database: command.$db as string }), ok: 1 };
  } catch (error) {
    if (error instanceof StoreError) return error.reply;
    throw error;
  }
}
