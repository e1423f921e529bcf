import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { type FastifyInstance } from 'fastify';
import { type Settings } from '../settings.js';

/** Where Apollo's explorers run that a developer points at a gateway. */
const studioOrigins = ['https://studio.apollographql.com', 'https://sandbox.embed.apollographql.com'];

/** What front-ends send besides what every browser may, and what they may read of a reply. */
const allowedHeaders = [
  'Accept-Language',
  'Apollo-Require-Preflight',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Prefer',
  'X-Request-Id',
];
const exposedHeaders = [
  'Allow',
  'ETag',
  'Idempotency-Replayed',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

type BrowserSettings = Pick<Settings, 'environment' | 'corsOrigins' | 'publicUrl'>;

/**
 * What browsers are told: no page may frame, sniff or script what the gateway answers, and only the
 * configured origins, in development Apollo's studio too, may call it from a page. A page of the gateway's own sets its
 * own policy.
 */
export function applyBrowserRules(
  app: FastifyInstance,
  { environment, corsOrigins, publicUrl }: BrowserSettings,
): void {
  app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // A browser would refuse plain HTTP for the whole host from then on.
    hsts: publicUrl?.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    // These speak of pages, or to browsers that are gone.
    crossOriginOpenerPolicy: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });

  const origins = new Set(
    [...corsOrigins, ...(environment === 'development' ? studioOrigins : [])].map(
      (url) => new URL(url).origin,
    ),
  );
  if (origins.size === 0) return;
  app.register(cors, {
    // Whoever is not listed is answered as if there were no CORS, an OPTIONS of its own included.
    origin: (origin, answer) => answer(null, origin !== undefined && origins.has(origin) ? origin : false),
    methods: ['GET', 'POST', 'PATCH'],
    allowedHeaders,
    exposedHeaders,
    strictPreflight: false,
    maxAge: 600,
  });
  // A route that says what its reply varies with must not take back that it varies with the origin.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const vary = reply.getHeader('vary');
    if (typeof vary === 'string' && !/\borigin\b/i.test(vary)) void reply.header('vary', `${vary}, Origin`);
    done(null, payload);
  });
}
