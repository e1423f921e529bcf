import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';

/** Whether `If-None-Match` has this tag (RFC 9110, 13.1.2). */
export const isKnown = ({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');

/** Answers 304. If nothing is sent, Fastify answers HEAD with `Content-Length: 0`, which is not the length of what GET would return. */
export const sendNotModified = (reply: FastifyReply): FastifyReply => reply.code(304).send(Readable.from([]));
