import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import { Cursors } from '../../../src/database/embedded/commands/cursors.js';
import { runCommand } from '../../../src/database/embedded/commands/run-command.js';
import { Catalog } from '../../../src/database/embedded/storage/catalog.js';
import { type BsonDocument } from '../../../src/database/embedded/values/document.js';
import { serveConnection } from '../../../src/database/embedded/wire/connection.js';
import { noDisk } from '../../support/memory-store.js';
import { type recordsOf } from './records.js';

/** A command at the database that waits for its turn. */
export interface Waiting {
  gateway: number;
  command: BsonDocument;
  run(): BsonDocument;
  answer(reply: BsonDocument): void;
}

/** Changes a gateway's command as if a guard were missing. */
export type Mutant = (command: BsonDocument) => BsonDocument;

export const without = (document: unknown, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(document as object).filter(([key]) => key !== name));

/** The collections where the order of commands matters. */
const shared = new Set(['jobs', 'companies', 'departures', 'history', 'idempotency']);

/**
 * The built-in store in memory, with a port for each gateway. Holds commands on shared collections back until the schedule releases them.
 */
export class Stage {
  private store = { catalog: new Catalog(noDisk), cursors: new Cursors() };
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private waiting: Waiting[] = [];
  private mutant: Mutant = (command) => command;
  private readonly dead = new Set<number>();

  async open(): Promise<{ gateway: number; uri: string }> {
    const gateway = this.servers.length;
    const server = createServer((socket) => {
      this.sockets.add(socket);
      void serveConnection(socket, (request) => this.receive(gateway, request.readCommand()));
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { gateway, uri: `mongodb://127.0.0.1:${port}/gateway?directConnection=true` };
  }

  private receive(gateway: number, command: BsonDocument): Promise<BsonDocument> {
    const [name = ''] = Object.keys(command);
    const run = () => runCommand(() => this.mutant(command), this.store);
    if (this.dead.has(gateway)) return new Promise(() => undefined);
    if (!shared.has(String(command[name]))) return Promise.resolve(run());
    return new Promise((answer) => this.waiting.push({ gateway, command, run, answer }));
  }

  reset(records: ReturnType<typeof recordsOf>, mutant: Mutant = (command) => command): void {
    this.store = { catalog: new Catalog(noDisk), cursors: new Cursors() };
    this.waiting = [];
    this.mutant = mutant;
    for (const { name, documents, indexes } of records) {
      if (indexes.length > 0) this.command({ createIndexes: name, indexes });
      if (documents.length > 0)
        this.command({ insert: name, documents: documents.map((each) => deserialize(serialize(each))) });
    }
  }

  documents(name: string): BsonDocument[] {
    const reply = this.command({ find: name, filter: {}, batchSize: 10_000 });
    return (reply.cursor as { firstBatch: BsonDocument[] }).firstBatch;
  }

  empty(name: string): void {
    this.command({ delete: name, deletes: [{ q: {}, limit: 0 }] });
  }

  private command(command: BsonDocument): BsonDocument {
    const reply = runCommand(() => ({ ...command, $db: 'gateway' }), this.store);
    if (reply.ok !== 1) throw new Error(String(reply.errmsg));
    return reply;
  }

  /** The oldest waiting command of a gateway. */
  at = (gateway: number): Waiting | undefined => this.waiting.find((each) => each.gateway === gateway);

  take(gateway: number): Waiting | undefined {
    const taken = this.at(gateway);
    this.waiting = this.waiting.filter((each) => each !== taken);
    return taken;
  }

  /** The gateway's unreleased commands never run. */
  kill(gateway: number): void {
    this.dead.add(gateway);
    this.waiting = this.waiting.filter((each) => each.gateway !== gateway);
    this.servers[gateway]?.close();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.servers) server.close();
  }
}
