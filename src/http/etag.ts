import { type FastifyRequest } from 'fastify';

/** Whether `If-None-Match` has this tag (RFC 9110, 13.1.2). */
export const isKnown = ({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
