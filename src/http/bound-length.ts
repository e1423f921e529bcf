import { type onRequestAsyncHookHandler } from 'fastify';
import { tooLarge } from '../errors/too-large.js';

/**
 * Refuses a body before it is read if its `Content-Length` is too large: payload-too-large (Contract 8.6.1).
 * @param logoBytes the most that a logo file in it may have, beside the bytes of everything else
 */
export const boundLength =
  (bodyBytes: number, logoBytes: number): onRequestAsyncHookHandler =>
  async ({ headers }) => {
    if (Number(headers['content-length'] ?? 0) <= bodyBytes + logoBytes) return;
    throw tooLarge(bodyBytes, {
      en: `logo must have at most ${logoBytes} bytes, and all else`,
      fr: `logo doit avoir au plus ${logoBytes} octets, et tout le reste`,
    });
  };
