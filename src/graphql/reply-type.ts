import { type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const json = 'application/json; charset=utf-8';
const graphqlJson = 'application/graphql-response+json; charset=utf-8';
const html = 'text/html; charset=utf-8';

/** The JSON type that `Accept` prefers; plain JSON if `Accept` allows neither (Contract 4.4.11). */
export const replyType = (request: Pick<FastifyRequest, 'headers'>): string =>
  new Negotiator(request).mediaType([json, graphqlJson]) ?? json;

/** Whether `Accept` prefers HTML to JSON, as browsers do. */
export const prefersPage = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  new Negotiator(request).mediaType([json, graphqlJson, html]) === html;
