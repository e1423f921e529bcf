import { type FastifyInstance } from 'fastify';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { type MongoClient } from 'mongodb';
import { type RequestContext } from '../access/request-context.js';
import { type Task } from '../archiver/task.js';

/** Makes spans if the environment asks for them (Contract 11.7). No span holds data of a caller or a record. */
export interface Tracing {
  /** A span for each request, except those of probes. If the request has a `traceparent`, that is the span's parent. */
  traceRequests(app: FastifyInstance): void;
  /** A span around each root field of the schema. */
  operation: IMiddlewareFunction<unknown, RequestContext>;
  /** A span for each command that is sent within another span. The client must monitor its commands. */
  traceCommands(client: MongoClient): void;
  /** Puts a span around each run of a task. */
  traceTask(task: Task): Task;
  /** Sends the remaining spans, for at most 2 s. Never throws. */
  stop(): Promise<void>;
}
