import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';

/** Registers the routes that operators and load balancers call without a token (Contract 11.1). */
export function registerOperationRoutes(
  app: FastifyInstance,
  { registry, isReady }: { registry: Registry; isReady: () => Promise<Readonly<Record<string, boolean>>> },
): void {
  app.get('/health', async () => ({ status: 'ok' }));

  app.get('/ready', async (_request, reply) => {
    const checks = await isReady();
    const isAllReady = Object.values(checks).every(Boolean);
    return reply.code(isAllReady ? 200 : 503).send({ status: isAllReady ? 'ready' : 'not-ready', checks });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}
