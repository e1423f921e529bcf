import { type FastifyReply, type FastifyRequest } from 'fastify';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { type CountRefusal } from '../../access/quotas.js';
import { type RequestContext } from '../../access/request-context.js';
import { isJsonObject } from '../../content/is-json-object.js';
import { DomainError } from '../../errors/domain-error.js';
import { unreadable } from '../../http/read-json.js';
import { replyType } from '../reply-type.js';
import { bucketOfDocument, type SettleReply } from '../settle-reply.js';
import { type GivenOperation } from './named-document.js';
import { type TrustedDocument } from './trusted-documents.js';
import { type TrustedExecutor } from './trusted-executor.js';

interface Dependencies {
  execute: TrustedExecutor;
  settle: SettleReply;
  countRefusal: CountRefusal;
}

/**
 * Runs a trusted document as REST runs its operations, past Apollo. Nothing is left to parse or validate, and the rest
 * of what Apollo does takes up to a third of a call. The guards of the schema hold all the same.
 * @returns the body of the reply, whose status and headers are set; for a malformed request, which runs nothing and is
 * counted as a call of its operation, the error to answer with
 */
export async function runTrusted(
  { document }: TrustedDocument,
  given: GivenOperation,
  { request, reply, context }: { request: FastifyRequest; reply: FastifyReply; context: RequestContext },
  { execute, settle, countRefusal }: Dependencies,
): Promise<string | DomainError> {
  const { variables } = given;
  const operationName =
    isText(given.operationName) && given.operationName !== '' ? given.operationName : null;
  const operation = getOperationAST(document, operationName);
  const isChange = operation && operation.operation !== OperationTypeNode.QUERY;
  const refusal =
    malformation(given, request) ??
    (isChange && request.method === 'GET'
      ? new DomainError('method-not-allowed', { allow: ['POST'] })
      : null);
  if (refusal) return (await countRefusal(bucketOfDocument(document, operationName), context)) ?? refusal;
  const { errors = [], ...result } = await execute({
    document,
    operationName,
    contextValue: context,
    variableValues: isJsonObject(variables) ? variables : {},
  });
  const settled: Parameters<SettleReply>[0]['result'] = result;
  const { status = 200, headers } = await settle({
    result: settled,
    errors,
    document,
    operationName,
    context,
  });
  void reply.code(status).headers(headers).type(replyType(request));
  return JSON.stringify({ errors: settled.errors, data: settled.data, extensions: settled.extensions });
}

/** What is wrong with a request before its operation is looked at, as Apollo finds it. */
function malformation(
  { operationName, variables, extensions }: GivenOperation,
  { method, headers }: FastifyRequest,
): DomainError | null {
  if (!isPreflighted(headers))
    return unreadable(
      'a page of another origin could have sent it, so it needs the header Apollo-Require-Preflight',
      'une page d’une autre origine aurait pu l’envoyer, il faut donc l’en-tête Apollo-Require-Preflight',
    );
  const type = headers['content-type'];
  if (method === 'GET' && type && !/^application\/json\s*(;|$)/i.test(type))
    return new DomainError('content-type-not-supported');
  // An address leaves out a part by not naming it.
  const isLeftOut = (part: unknown) => part === undefined || (part === null && method !== 'GET');
  const isWellFormed =
    (isLeftOut(operationName) || isText(operationName)) &&
    [variables, extensions].every((part) => isLeftOut(part) || isJsonObject(part));
  return isWellFormed
    ? null
    : unreadable(
        'operationName is a text, variables and extensions are objects, where they are given',
        'operationName est un texte, variables et extensions sont des objets, s’ils sont donnés',
      );
}

/** Whether a browser asks before a page of another origin may send it, by Apollo's own test (Contract 8.6.4). */
const isPreflighted = (headers: FastifyRequest['headers']): boolean =>
  /^application\/json\b/i.test(headers['content-type'] ?? '') ||
  Boolean(headers['apollo-require-preflight'] ?? headers['x-apollo-operation-name']);

const isText = (value: unknown): value is string => typeof value === 'string';
