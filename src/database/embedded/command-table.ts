import type { BsonDocument } from './bson-document.js';
import { assertOptions, type Command, type CommandContext } from './command.js';
import { connectionCommands } from './connection-commands.js';
import { findAndModify } from './find-and-modify-command.js';
import { readCommands } from './read-commands.js';
import { schemaCommands } from './schema-commands.js';
import { notSupported, StoreError } from './store-error.js';
import { writeCommands } from './write-commands.js';

const commands = new Map<string, Command>(
  Object.entries({
    ...connectionCommands,
    ...readCommands,
    ...writeCommands,
    ...schemaCommands,
    findAndModify,
    findandmodify: findAndModify,
  }),
);

const TRANSACTION_COMMANDS = new Set(['commitTransaction', 'abortTransaction']);

/**
 * Runs a command and gives its answer. A command that fails is answered too: with `ok: 0`, a code and a message.
 * Only faults of the store itself are thrown.
 */
export function runCommand(command: BsonDocument, services: Omit<CommandContext, 'database'>): BsonDocument {
  const name = Object.keys(command)[0] ?? '';
  try {
    const known = commands.get(name);
    if (TRANSACTION_COMMANDS.has(name)) throw notSupported('A transaction');
    if (known === undefined) throw new StoreError('CommandNotFound', `no such command: '${name}'`);
    assertOptions(name, command, known.options);
    const database = typeof command.$db === 'string' ? command.$db : 'test';
    return { ...known.run(command, { ...services, database }), ok: 1 };
  } catch (error) {
    if (error instanceof StoreError) return error.reply;
    throw error;
  }
}
