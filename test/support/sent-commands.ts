import { type CommandStartedEvent } from 'mongodb';
import { type Tracing } from '../../src/tracing/start-tracing.js';

/** Every command that a gateway sends to its database, as the driver tells of it. */
export class SentCommands {
  private sent: CommandStartedEvent[] = [];

  /** Nothing but a note of each command. */
  readonly tracing: Tracing = {
    requests: { begin: (_request, next) => next(), resume: (_request, next) => next(), end: () => undefined },
    operation: (_info, run) => run(),
    traceCommands: (client) => void client.on('commandStarted', (event) => this.sent.push(event)),
    traceTask: (task) => task,
    stop: async () => undefined,
  };

  forget(): void {
    this.sent = [];
  }

  /** Their names and collections. */
  get names(): string[] {
    return this.sent.map((event) => `${event.commandName} ${collectionOf(event)}`);
  }

  /** Those to a collection. */
  to(collection: string): Record<string, unknown>[] {
    return this.sent.filter((event) => collectionOf(event) === collection).map(({ command }) => command);
  }
}

const collectionOf = ({ commandName, command }: CommandStartedEvent): string =>
  String((command as Record<string, unknown>)[commandName]);
