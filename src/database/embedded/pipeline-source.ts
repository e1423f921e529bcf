import { type BsonDocument } from './bson-document.js';

/** Where a pipeline reads other collections of its database. */
export interface PipelineSource {
  find(collection: string, filter: BsonDocument): BsonDocument[];
}

/** Documents in, documents out. */
export type PipelineRun = (documents: readonly BsonDocument[]) => BsonDocument[];

/** Makes a pipeline ready to run. A stage that holds pipelines of its own is handed it. */
export type PipelineCompiler = (
  pipeline: unknown,
  source: PipelineSource,
  variables: BsonDocument,
) => PipelineRun;
