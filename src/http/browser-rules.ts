import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { isLoopback } from '../access/developer-token.js';
import { type Settings } from '../settings.js';

/** The origins of Apollo's explorers, which a developer points at a gateway. */
const studioOrigins = ['https://studio.apollographql.com', 'https://sandbox.embed.apollographql.com'];

/** Headers that front-ends, Apollo Client and tracers send: a browser holds back a request with one that is not listed. */
const allowedHeaders = [
  'Accept-Language',
  'Apollo-Require-Preflight',
  'Apollographql-Client-Name',
  'Apollographql-Client-Version',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'Traceparent',
  'Tracestate',
  'X-Request-Id',
];
const exposedHeaders = [
  'Accept-Patch',
  'Accept-Post',
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Job-Expires',
  'Job-State',
  'Link',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** The origins of front-ends that are being developed on this machine. */
function isLocal(origin: string): boolean {
  const host = /^https?:\/\/([\w.-]+|\[::1\])(?::\d+)?$/.exec(origin)?.[1] ?? '';
  return isLoopback(host) || host.endsWith('.localhost');
}

/** No page may frame, sniff or script a reply. */
export const browserPolicies = ({ publicUrl }: Pick<Settings, 'publicUrl'>): Record<string, string> => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Without HTTPS a browser would refuse the whole host from then on.
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

/** Lets pages of the listed origins call, in development those of this machine and of Apollo too. @returns whether any may */
export function allowOrigins(
  app: FastifyInstance,
  { environment, corsOrigins }: Pick<Settings, 'environment' | 'corsOrigins'>,
): boolean {
  const isDevelopment = environment === 'development';
  const origins = new Set(
    [...corsOrigins, ...(isDevelopment ? studioOrigins : [])].map((url) => new URL(url).origin),
  );
  if (origins.size === 0) return false;
  app.register(cors, {
    // An origin that is not listed is answered as if there were no CORS, even when it asks by OPTIONS.
    origin: (origin, answer) => {
      const isAllowed = origin !== undefined && (origins.has(origin) || (isDevelopment && isLocal(origin)));
      answer(null, isAllowed ? origin : false);
    },
    methods: ['GET', 'POST', 'PATCH'],
    allowedHeaders,
    exposedHeaders,
    strictPreflight: false,
    maxAge: 600,
  });
  return true;
}

/** A route may set `Vary` of its own, and the origin has to stay in it. */
export function keepOrigin(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (typeof vary === 'string' && !/\borigin\b/i.test(vary)) void reply.header('vary', `${vary}, Origin`);
}
