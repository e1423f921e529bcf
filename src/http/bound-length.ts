import { type onRequestAsyncHookHandler } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

/** Refuses a body that says itself that it is too long before it is read: payload-too-large (Contract 8.6.1). */
export const boundLength =
  (maxBytes: number): onRequestAsyncHookHandler =>
  async ({ headers }) => {
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new DomainError('payload-too-large');
  };
