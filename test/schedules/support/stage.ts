import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import { Cursors } from '../../../src/database/embedded/commands/cursors.js';
import { runCommand } from '../../../src/database/embedded/commands/run-command.js';
import { Catalog } from '../../../src/database/embedded/storage/catalog.js';
import { type BsonDocument } from '../../../src/database/embedded/values/document.js';
import { serveConnection } from '../../../src/database/embedded/wire/connection.js';
import { noDisk } from '../../support/memory-store.js';

/** A command at the database that waits for its turn. */
export interface Waiting {
  gateway: number;
  command: BsonDocument;
  run(): BsonDocument;
  answer(reply: BsonDocument): void;
}

/** Changes a gateway's command as if a guard were missing. */
export type Mutant = (command: BsonDocument) => BsonDocument;

/** The collections where the order of commands matters. */
const shared = new Set([
  'jobs',
  'companies',
  'departures',
  'leases',
  'history',
  'idempotency',
  'quotas',
  'logos.files',
  'logos.chunks',
]);
const silent = new Set(['createIndexes', 'listIndexes']);

/**
 * The built-in store in memory, with a port for each gateway. Holds commands on shared collections back until the schedule releases them.
 */
export class Stage {
  private catalog = new Catalog(noDisk);
  private cursors = new Cursors();
  private readonly apis: { server: Server; sockets: Set<Socket> }[] = [];
  private waiting: Waiting[] = [];
  private mutant: Mutant = (command) => command;
  private readonly dead = new Set<number>();

  async open(): Promise<{ gateway: number; uri: string }> {
    const gateway = this.apis.length;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      void serveConnection(socket, (request) => this.receive(gateway, request.readCommand()));
    });
    this.apis.push({ server, sockets });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { gateway, uri: `mongodb://127.0.0.1:${port}/gateway?directConnection=true` };
  }

  private receive(gateway: number, command: BsonDocument): Promise<BsonDocument> {
    const [name = ''] = Object.keys(command);
    const run = () =>
      runCommand(() => this.mutant(command), { catalog: this.catalog, cursors: this.cursors });
    if (this.dead.has(gateway)) return new Promise(() => undefined);
    if (!shared.has(String(command[name])) || silent.has(name)) return Promise.resolve(run());
    return new Promise((answer) => this.waiting.push({ gateway, command, run, answer }));
  }

  reset(records: Record<string, { documents: object[]; indexes: object[] }>, mutant: Mutant): void {
    this.catalog = new Catalog(noDisk);
    this.cursors = new Cursors();
    this.waiting = [];
    this.mutant = mutant;
    for (const [name, { documents, indexes }] of Object.entries(records)) {
      if (indexes.length > 0) this.command(mutant({ createIndexes: name, indexes }));
      if (documents.length > 0)
        this.command({ insert: name, documents: documents.map((each) => deserialize(serialize(each))) });
    }
  }

  documents(name: string): BsonDocument[] {
    const reply = this.command({ find: name, filter: {}, batchSize: 10_000 });
    return (reply.cursor as { firstBatch: BsonDocument[] }).firstBatch;
  }

  private command(command: BsonDocument): BsonDocument {
    const reply = runCommand(() => ({ ...command, $db: 'gateway' }), {
      catalog: this.catalog,
      cursors: this.cursors,
    });
    if (reply.ok !== 1) throw new Error(String(reply.errmsg));
    return reply;
  }

  /** The oldest waiting command of a gateway. */
  at = (gateway: number): Waiting | undefined => this.waiting.find((each) => each.gateway === gateway);

  take(waiting: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(waiting), 1);
  }

  /** The gateway's unreleased commands never run. */
  kill(gateway: number): void {
    this.dead.add(gateway);
    this.waiting = this.waiting.filter((each) => each.gateway !== gateway);
    this.apis[gateway]?.server.close();
  }

  close(): void {
    for (const { server, sockets } of this.apis) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  }
}
