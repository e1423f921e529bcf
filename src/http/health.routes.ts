import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';

interface HealthChecks {
  registry: Registry;
  /** What `/ready` asks. A check that fails counts as false. */
  checks: Readonly<Record<string, () => boolean | Promise<boolean>>>;
}

/** Registers the routes that operators and load balancers call without a token (Contract 11.1). */
export function registerHealthRoutes(app: FastifyInstance, { registry, checks }: HealthChecks): void {
  app.get('/health', async () => ({ status: 'ok' }));

  app.get('/ready', async (_request, reply) => {
    const results = Object.entries(checks).map(async ([name, check]) => [name, await wellOf(check)] as const);
    const answers = Object.fromEntries(await Promise.all(results));
    const isAllReady = Object.values(answers).every(Boolean);
    const status = isAllReady ? 'ready' : 'not-ready';
    return reply.code(isAllReady ? 200 : 503).send({ status, checks: answers });
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
