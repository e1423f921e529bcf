import type { BsonDocument } from './bson-document.js';
import { compilePipeline, readStage } from './pipeline.js';
import { StoreError } from './store-error.js';

const ALLOWED = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

/**
 * Compiles an update that is a pipeline.
 * @throws StoreError InvalidOptions for a stage that may not change a document
 */
export function compileUpdatePipeline(
  pipeline: readonly unknown[],
  variables: BsonDocument,
): (document: BsonDocument) => BsonDocument {
  const refused = pipeline.map((stage) => readStage(stage)[0]).find((name) => !ALLOWED.has(name));
  if (refused !== undefined) {
    throw new StoreError('InvalidOptions', `${refused} is not allowed to be used within an update`);
  }
  const run = compilePipeline(pipeline, { find: () => [] }, variables);
  return (document) => {
    const changed = run([document])[0] ?? document;
    return '_id' in document && !('_id' in changed) ? { _id: document._id, ...changed } : changed;
  };
}
