import { type ErrorCode } from '../../../src/errors/catalogue.js';
import { type Bucket } from '../../../src/operations.js';
import { type badTokens, type TokenFactory } from '../../support/tokens.js';

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer | ReadableStream | undefined;
}

/** A refusal: what causes it, and what the caller gets. A property that concerns one API does not count for the other. */
export interface Refusal {
  title: string;
  code: ErrorCode;
  /** Each of these requests is refused in this way. */
  sent: readonly (Sent | (() => Sent))[];
  /** The caller sends this first, and it succeeds. */
  before?: Sent;
  /** Changes to the usual claims; null for no token, a text for a bad one. */
  claims?: Parameters<TokenFactory>[0] | null | keyof Awaited<ReturnType<typeof badTokens>>;
  /** After the colon of the message, in English, or also in French. */
  hint?: string | readonly [en: string, fr: string];
  /** Over GraphQL, replaces the catalogue’s message, in French too unless given. */
  message?: string | readonly [en: string, fr: string];
  /** Over GraphQL; default: the catalogue’s. */
  status?: number;
  graphqlCode?: string;
  /** The root field, if the operation has run. */
  field?: string;
  /** Over REST. */
  faults?: readonly (readonly [field: string, code: string, en: string, fr?: string])[];
  /** Over GraphQL, with the path joined by full stops. */
  fields?: readonly (readonly [path: string, code: string, reason: string, en?: string])[];
  extensions?: object;
  /** `WWW-Authenticate`. */
  challenge?: string;
  headers?: Record<string, string | RegExp>;
  /** The bucket that pays a unit; default: the operation’s, but none if the caller lacks authority. */
  bucket?: Bucket | null;
}

/** A refusal for each text after the colon of the message. */
export const told = (code: ErrorCode, byHint: Record<string, Refusal['sent']>): Refusal[] =>
  Object.entries(byHint).map(([hint, sent]) => ({ title: hint, code, hint, sent }));

export type More = Omit<Refusal, 'title' | 'code' | 'sent'>;

export const refusal = (code: ErrorCode, title: string, sent: Refusal['sent'], more: More = {}): Refusal => ({
  title,
  code,
  sent,
  ...more,
});
