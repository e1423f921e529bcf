import { type FastifyReply, type FastifyRequest } from 'fastify';
import { execute, getOperationAST, type GraphQLSchema, OperationTypeNode } from 'graphql';
import { type RequestContext } from '../../access/request-context.js';
import { DomainError } from '../../errors/domain-error.js';
import { unreadable } from '../../http/read-json.js';
import { mostErrors } from '../apollo.js';
import { replyType } from '../reply-type.js';
import { type SettleReply } from '../settle-reply.js';
import { type GivenOperation } from './named-document.js';
import { type TrustedDocument } from './trusted-documents.js';

/**
 * Runs a trusted document as REST runs its operations, past Apollo. Nothing is left to parse or validate, and the rest
 * of what Apollo does takes up to a third of a call. The guards of the schema hold all the same.
 * @returns the body of the reply, whose status and headers are set
 * @throws DomainError for a malformed request, before anything has run
 */
export async function runTrusted(
  { document }: TrustedDocument,
  { operationName, variables }: GivenOperation,
  { request, reply, context }: { request: FastifyRequest; reply: FastifyReply; context: RequestContext },
  { schema, settle }: { schema: GraphQLSchema; settle: SettleReply },
): Promise<string> {
  if (!isPreflighted(request))
    throw unreadable(
      'a page of another origin could have sent it, so it needs the header Apollo-Require-Preflight',
      'une page d’une autre origine aurait pu l’envoyer, il faut donc l’en-tête Apollo-Require-Preflight',
    );
  if (!isOptional(operationName, isText) || !isOptional(variables, isRecord))
    throw unreadable(
      'operationName is a text and variables an object, where they are given',
      'operationName est un texte et variables un objet, s’ils sont donnés',
    );
  const operation = getOperationAST(document, operationName);
  if (request.method === 'GET' && operation && operation.operation !== OperationTypeNode.QUERY)
    throw new DomainError('method-not-allowed', { allow: ['POST'] });
  const { errors = [], ...result } = await execute({
    schema,
    document,
    contextValue: context,
    variableValues: variables ?? {},
    operationName: operationName ?? null,
    options: { maxCoercionErrors: mostErrors.inVariables },
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

/**
 * Whether a browser would have asked first before a page of another origin could send it, by Apollo's own test
 * (Contract 8.6.4).
 */
const isPreflighted = ({ headers }: FastifyRequest): boolean =>
  /^application\/json\b/i.test(headers['content-type'] ?? '') ||
  Boolean(headers['apollo-require-preflight'] ?? headers['x-apollo-operation-name']);

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOptional = <T>(value: unknown, is: (value: unknown) => value is T): value is T | null | undefined =>
  value === undefined || value === null || is(value);
