import { type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const json = 'application/json; charset=utf-8';
const graphqlJson = 'application/graphql-response+json; charset=utf-8';
const html = 'text/html; charset=utf-8';

/** The type of a reply of GraphQL's, as `Accept` prefers it; plain JSON where it accepts neither (Contract 4.4.11). */
export const replyType = (request: Pick<FastifyRequest, 'headers'>): string =>
  new Negotiator(request).mediaType([json, graphqlJson]) ?? json;

/** Whether a page is preferred to a reply of GraphQL's, as browsers prefer it that open an address. */
export const prefersPage = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  new Negotiator(request).mediaType([json, graphqlJson, html]) === html;
