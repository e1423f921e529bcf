import { type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { type CommandStartedEvent, type MongoClient } from 'mongodb';

/** Creates a span, without values, for each database command inside another span. The task queue's own commands run outside. */
export function traceCommands(client: MongoClient, tracer: Tracer): void {
  const spans = new Map<number, Span>();

  client.on('commandStarted', (event) => {
    // The driver emits this event in the sender's async context, so the active span is the parent.
    if (!trace.getActiveSpan()) return;
    const { requestId, commandName, databaseName, address } = event;
    // A Unix socket's address is a path. IPv6 addresses have brackets.
    const [, host = address, port] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
    const collection = collectionOf(event);
    const span = tracer.startSpan(collection === undefined ? commandName : `${commandName} ${collection}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'mongodb',
        'db.operation.name': commandName,
        'db.namespace': databaseName,
        ...(collection !== undefined && { 'db.collection.name': collection }),
        'server.address': host,
        ...(port !== undefined && { 'server.port': Number(port) }),
      },
    });
    spans.set(requestId, span);
  });

  const take = (requestId: number): Span | undefined => {
    const span = spans.get(requestId);
    spans.delete(requestId);
    return span;
  };
  client.on('commandSucceeded', ({ requestId }) => take(requestId)?.end());
  client.on('commandFailed', ({ requestId, failure }) => {
    const span = take(requestId)?.setAttribute('error.type', failure.name);
    span?.setStatus({ code: SpanStatusCode.ERROR }).end();
  });
}

function collectionOf({ commandName, command }: CommandStartedEvent): string | undefined {
  const name: unknown = commandName === 'getMore' ? command.collection : command[commandName];
  return typeof name === 'string' ? name : undefined;
}
