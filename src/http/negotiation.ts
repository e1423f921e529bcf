import { type FastifyReply, type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Readable } from 'node:stream';

/** A parameter of a media type other than its weight, `q`. */
const parameter = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

/**
 * The media type that `Accept` prefers, undefined if it accepts none of them. Parameters such as `charset` and `profile` don't count:
 * each type here has one form only.
 */
export function preferredType<Type extends string>(
  { headers: { accept } }: Pick<FastifyRequest, 'headers'>,
  types: readonly Type[],
): Type | undefined {
  const headers = { accept: accept?.replace(parameter, '') };
  return new Negotiator({ headers }).mediaType([...types]) as Type | undefined;
}

const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';
const html = 'text/html';

/** The JSON type that `Accept` prefers; plain JSON if `Accept` allows neither. */
export const replyType = (request: Pick<FastifyRequest, 'headers'>): string =>
  `${preferredType(request, [json, graphqlJson]) ?? json}; charset=utf-8`;

/** Whether `Accept` prefers HTML to JSON, as browsers do. */
export const prefersPage = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  preferredType(request, [json, graphqlJson, html]) === html;

/** Whether `If-None-Match` has this tag (RFC 9110, 13.1.2). */
export const isKnown = ({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');

/** Answers 304. If nothing is sent, Fastify answers HEAD with `Content-Length: 0`, which is not the length of what GET would return. */
export const sendNotModified = (reply: FastifyReply): FastifyReply => reply.code(304).send(Readable.from([]));
