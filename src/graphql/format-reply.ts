import {
  type DocumentNode,
  type FormattedExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  separateOperations,
  visit,
} from 'graphql';
import { replyExtensions, replyHeaders } from '../quotas/quotas.js';
import { type RequestContext } from '../permissions/request-context.js';
import { type Refusal } from '../errors/refusal.js';
import { type ErrorResponder } from '../http/error-responder.js';
import { type Bucket, buckets, operationsByName } from '../operations.js';
import { type Settings } from '../settings/settings.js';
import { replyTooLarge } from './bounds/reply-size.js';
import { refusalOf } from './refusal-of.js';
import { variableFaults } from './variable-faults.js';

interface Outcome {
  result: FormattedExecutionResult;
  errors: readonly GraphQLError[];
  /** Undefined if the document did not parse. */
  document: DocumentNode | undefined;
  /** Undefined if the document is not valid. */
  operation: OperationDefinitionNode | undefined;
  operationName: string | null | undefined;
  variables: Readonly<Record<string, unknown>>;
  context: RequestContext;
}

export type FormatReply = ReturnType<typeof replyFormatter>;

/** The returned function changes the result. It returns the headers, and a status if it replaces Apollo's. */
export const replyFormatter =
  (errorResponder: ErrorResponder, schema: GraphQLSchema, settings: Pick<Settings, 'environment'>) =>
  async ({ result, errors, document, operation, operationName, variables, context }: Outcome) => {
    context.reply.isFormatted = true;
    // An operation that never ran is refused in the same way whether or not its price is known.
    if (result.data === undefined) context.cost.price = null;
    const tooLarge = replyTooLarge(result.data);
    if (errors.length === 0 && !tooLarge) {
      const extensions = replyExtensions(context);
      if (extensions) result.extensions = { ...result.extensions, ...extensions };
      return { status: undefined, headers: replyHeaders(context) };
    }
    const faultOf = document && variableFaults({ document, operation, variables }, schema, settings);
    if (tooLarge) result.data = null;
    const refusals = tooLarge
      ? [{ error: tooLarge }]
      : distinct(errors.map((error) => refusalOf(error, context.language, faultOf?.(error))));
    const bucket = bucketOfDocument(document, operationName);
    const { body, ...head } = await errorResponder.refuse(refusals, { context, bucket, data: result.data });
    if (head.status !== 200) delete result.data;
    Object.assign(result, body);
    return head;
  };

/** Root fields with the same error were refused together, such as by their quota: the error then has no path. */
function distinct(refusals: readonly Refusal[]): Refusal[] {
  const refusalsByKey = new Map<unknown, Refusal>();
  for (const refusal of refusals) {
    const key = refusal.path?.length === 1 ? refusal.error : refusal;
    refusalsByKey.set(
      key,
      refusalsByKey.has(key) ? { ...refusalsByKey.get(key), error: refusal.error, path: undefined } : refusal,
    );
  }
  return [...refusalsByKey.values()];
}

/** The bucket to charge: for a mutation the tightest of its root fields, otherwise `read`. */
function bucketOfDocument(document: DocumentNode | undefined, operationName: string | null | undefined) {
  const operation = document && getOperationAST(document, operationName);
  if (!document || operation?.operation !== OperationTypeNode.MUTATION) return 'read';
  const used = new Set<Bucket>(['mutation']);
  // Search fragments too: the root field can be in one.
  visit(separateOperations(document)[operation.name?.value ?? ''] ?? operation, {
    Field({ name }) {
      const row = operationsByName.get(name.value);
      if (row?.type === 'mutation') used.add(row.bucket);
    },
  });
  return (Object.keys(buckets) as Bucket[]).find((bucket) => used.has(bucket)) ?? 'mutation';
}
