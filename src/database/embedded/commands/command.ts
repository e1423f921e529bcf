import { type Catalog } from '../storage/catalog.js';
import { type BsonDocument } from '../values/document.js';
import { notSupported } from '../values/store-error.js';
import { type Cursors } from './cursors.js';

export interface CommandContext {
  catalog: Catalog;
  cursors: Cursors;
  database: string;
}

/** Runs synchronously, so two commands never interleave. */
export interface Command {
  /** Options that only this command has, separated by spaces. */
  options: string;
  run(command: BsonDocument, context: CommandContext): BsonDocument;
}

/** Drivers send some options switched off. @throws StoreError for any other option that is not in `accepted` */
export function assertOptions(name: string, options: BsonDocument, accepted: string): void {
  const known = accepted.split(' ');
  for (const [option, value] of Object.entries(options))
    if (!known.includes(option) && value !== false) throw notSupported(`The option ${option} of ${name}`);
}
