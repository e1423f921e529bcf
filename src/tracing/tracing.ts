import { type FastifyInstance } from 'fastify';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { type MongoClient } from 'mongodb';
import { type RequestContext } from '../access/request-context.js';
import { type Task } from '../archiver/task.js';

/** What makes spans, when the environment asks for them (Contract 11.7). Nothing of a caller's or of a record stands in one. */
export interface Tracing {
  /** A span for each request but those of probes; a `traceparent` of the request is its parent. */
  traceRequests(app: FastifyInstance): void;
  /** A span around each root field of the schema. */
  operation: IMiddlewareFunction<unknown, RequestContext>;
  /** A span for each command that is sent on behalf of another span; the client must monitor its commands. */
  traceCommands(client: MongoClient): void;
  /** The task, with a span around each run. */
  traceTask(task: Task): Task;
  /** Sends what is left, for at most 2 s. Never throws. */
  stop(): Promise<void>;
}
