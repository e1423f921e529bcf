import { type FastifyRequest } from 'fastify';
import { preferredType } from '../http/accept.js';

const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';
const html = 'text/html';

/** The JSON type that `Accept` prefers; plain JSON if `Accept` allows neither (Contract 4.4.11). */
export const replyType = (request: Pick<FastifyRequest, 'headers'>): string =>
  `${preferredType(request, [json, graphqlJson]) ?? json}; charset=utf-8`;

/** Whether `Accept` prefers HTML to JSON, as browsers do. */
export const prefersPage = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  preferredType(request, [json, graphqlJson, html]) === html;
