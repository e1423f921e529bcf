import { type onRequestAsyncHookHandler } from 'fastify';
import { tooLarge } from '../errors/too-large.js';

/** Refuses a body by its `Content-Length` before it is read (Contract 8.6.1). @param logoBytes most bytes of a logo in it */
export const boundLength =
  (bodyBytes: number, logoBytes: number): onRequestAsyncHookHandler =>
  async ({ headers }) => {
    if (Number(headers['content-length'] ?? 0) <= bodyBytes + logoBytes) return;
    throw tooLarge(bodyBytes, {
      en: `logo must have at most ${logoBytes} bytes, and all else`,
      fr: `logo doit avoir au plus ${logoBytes} octets, et tout le reste`,
    });
  };
