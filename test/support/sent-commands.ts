import { BSON, type CommandStartedEvent, type CommandSucceededEvent } from 'mongodb';
import { type Tracing } from '../../src/tracing/start-tracing.js';

/** Records every command that a gateway sends to its database. */
export class SentCommands {
  private sent: CommandStartedEvent[] = [];
  private answered: CommandSucceededEvent[] = [];

  readonly tracing: Tracing = {
    requests: { begin: (_request, next) => next(), resume: (_request, next) => next(), end: () => undefined },
    operation: (_info, run) => run(),
    traceCommands: (client) => {
      client.on('commandStarted', (event) => this.sent.push(event));
      client.on('commandSucceeded', (event) => this.answered.push(event));
    },
    traceTask: (task) => task,
    stop: async () => undefined,
  };

  forget(): void {
    this.sent = [];
    this.answered = [];
  }

  /** Without reads of the revocations, which the gateway repeats by a timer. */
  get names(): string[] {
    return this.sent
      .map((event) => `${event.commandName} ${collectionOf(event)}`)
      .filter((name) => name !== 'find revocations');
  }

  /** How many documents the database has sent, of these collections. */
  found(...collections: string[]): number {
    const ids = this.sent
      .filter((event) => collections.includes(collectionOf(event)))
      .map(({ requestId }) => requestId);
    return this.answered
      .filter(({ requestId }) => ids.includes(requestId))
      .reduce((sum, { reply }) => sum + batchOf(reply as { cursor?: Cursor | Uint8Array }).length, 0);
  }

  to(collection: string): Record<string, unknown>[] {
    return this.sent.filter((event) => collectionOf(event) === collection).map(({ command }) => command);
  }
}

interface Cursor {
  firstBatch: unknown[];
}

/** A cursor that returns BSON has a reply of BSON. */
function batchOf({ cursor }: { cursor?: Cursor | Uint8Array }): unknown[] {
  const read = cursor instanceof Uint8Array ? (BSON.deserialize(cursor) as Cursor) : cursor;
  return read?.firstBatch ?? [];
}

const collectionOf = ({ commandName, command }: CommandStartedEvent): string =>
  String((command as Record<string, unknown>)[commandName]);
