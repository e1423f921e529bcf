import { type Span, type SpanOptions, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { type GraphQLResolveInfo } from 'graphql';
import { type Task } from '../archiver/task.js';
import { catalogue } from '../errors/catalogue.js';
import { toDomainError } from '../database/database-errors.js';

export const traceOperation =
  (tracer: Tracer) =>
  <T>({ fieldName, operation }: GraphQLResolveInfo, run: () => Promise<T>): Promise<T> => {
    const attributes = { 'graphql.operation.type': operation.operation, 'graphql.field.name': fieldName };
    return within(tracer, `${operation.operation} ${fieldName}`, { attributes }, run);
  };

export const traceTask = (task: Task, tracer: Tracer): Task => ({
  ...task,
  run: (control) => within(tracer, `task ${task.name}`, {}, () => task.run(control)),
});

function within<T>(tracer: Tracer, name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      noteError(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Records only the error code: a message may quote the caller's input. Only a 5xx error marks the span as failed. */
function noteError(span: Span, error: unknown): void {
  const { code } = toDomainError(error);
  span.setAttribute('error.type', code);
  if (catalogue[code].status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
