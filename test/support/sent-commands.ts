import { type CommandStartedEvent } from 'mongodb';
import { type Tracing } from '../../src/tracing/start-tracing.js';

/** Records every command that a gateway sends to its database. */
export class SentCommands {
  private sent: CommandStartedEvent[] = [];

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

  get names(): string[] {
    return this.sent.map((event) => `${event.commandName} ${collectionOf(event)}`);
  }

  to(collection: string): Record<string, unknown>[] {
    return this.sent.filter((event) => collectionOf(event) === collection).map(({ command }) => command);
  }
}

const collectionOf = ({ commandName, command }: CommandStartedEvent): string =>
  String((command as Record<string, unknown>)[commandName]);
