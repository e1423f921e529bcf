import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { isLoopback } from '../tokens/developer-token.js';
import { type Settings } from '../settings/settings.js';

const studioOrigins = ['https://studio.apollographql.com', 'https://sandbox.embed.apollographql.com'];

const exposedHeaders = [
  'Accept-Patch',
  'Accept-Post',
  'Allow',
  'ETag',
  'Idempotency-Replayed',
  'Job-Expires',
  'Job-State',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit-Cost',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

function isLocal(origin: string): boolean {
  const host = /^https?:\/\/([\w.-]+|\[::1\])(?::\d+)?$/.exec(origin)?.[1] ?? '';
  return isLoopback(host) || host.endsWith('.localhost');
}

export const browserPolicies = ({ publicUrl }: Pick<Settings, 'publicUrl'>): Record<string, string> => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Only if callers use HTTPS: for a year, this header forbids browsers to open the host over HTTP.
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

/**
 * Allows calls from the configured origins; in development, also from this machine and Apollo's explorers.
 * @returns whether any origin is allowed
 */
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
    // Other origins get replies without CORS headers, even to OPTIONS.
    origin: (origin, answer) => {
      const isAllowed = origin !== undefined && (origins.has(origin) || (isDevelopment && isLocal(origin)));
      answer(null, isAllowed ? origin : false);
    },
    methods: ['GET', 'POST', 'PATCH'],
    // Without `allowedHeaders`, allows the request headers that a browser asks for: tracers and client libraries add their own.
    exposedHeaders,
    strictPreflight: false,
    maxAge: 600,
  });
  return true;
}

/** Adds `Origin` back to `Vary` if a route has overwritten the header. */
export function keepOrigin(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (typeof vary === 'string' && !/\borigin\b/i.test(vary)) void reply.header('vary', `${vary}, Origin`);
}
