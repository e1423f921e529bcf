import { type FastifyRequest } from 'fastify';

/** Whether the caller says in `If-None-Match` that it has what this tag stands for (RFC 9110, 13.1.2). */
export const isKnown = ({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
