import cors from '@fastify/cors';
import { type FastifyInstance } from 'fastify';
import { isLoopback } from '../access/developer-token.js';
import { parseUrl } from '../content/parse-url.rules.js';
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
  const url = parseUrl(origin);
  return url?.origin === origin && (isLoopback(url.hostname) || url.hostname.endsWith('.localhost'));
}

type BrowserSettings = Pick<Settings, 'environment' | 'corsOrigins' | 'publicUrl'>;

/** No page may frame, sniff or script a reply; only listed origins may call, in development this machine and Apollo too. */
export function applyBrowserRules(
  app: FastifyInstance,
  { environment, corsOrigins, publicUrl }: BrowserSettings,
): void {
  const policies = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Without HTTPS a browser would refuse the whole host from then on.
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(policies);
    done();
  });

  const isDevelopment = environment === 'development';
  const origins = new Set(
    [...corsOrigins, ...(isDevelopment ? studioOrigins : [])].map((url) => new URL(url).origin),
  );
  if (origins.size === 0) return;
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
  // A route may set `Vary` of its own, and the origin has to stay in it.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const vary = reply.getHeader('vary');
    if (typeof vary === 'string' && !/\borigin\b/i.test(vary)) void reply.header('vary', `${vary}, Origin`);
    done(null, payload);
  });
}
