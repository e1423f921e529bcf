import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';
import { version } from '../settings/version.js';

interface HealthChecks {
  registry: Registry;
  /** The checks of `/ready`. A check that fails counts as false. */
  checks: Readonly<Record<string, () => boolean | Promise<boolean>>>;
}

/** Load balancers and Prometheus call these routes all the time, without a token, and also while the database is being prepared. */
export const probes: ReadonlySet<unknown> = new Set(['/health', '/ready', '/metrics']);

/** Registers the probes. */
export function registerHealthRoutes(app: FastifyInstance, { registry, checks }: HealthChecks): void {
  app.get('/health', async () => ({ status: 'ok', version }));

  app.get('/ready', async (_request, reply) => {
    const results = Object.entries(checks).map(async ([name, check]) => [name, await wellOf(check)] as const);
    const states = Object.fromEntries(await Promise.all(results));
    const isAllReady = Object.values(states).every(Boolean);
    const status = isAllReady ? 'ready' : 'not-ready';
    if (!isAllReady) void reply.header('retry-after', 1);
    return reply.code(isAllReady ? 200 : 503).send({ status, checks: states });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}

async function wellOf(check: HealthChecks['checks'][string]): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}
