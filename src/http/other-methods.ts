import { type FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { DomainError } from '../errors/domain-error.js';

/**
 * Refuses on every path of the routes to come each method that they do not take, with what the path takes and in its
 * own form of errors, before anything else is looked at (Contract 7.1.1, 7.1.3). All methods of a path are registered
 * at once.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  // Fastify would answer those that it has not been told of as if the path were not there.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const known = new Set<string>();
  app.addHook('onRoute', function ({ method, url, routePath, exposeHeadRoute = true }) {
    // The routes made here, and those that answer HEAD for a GET, come by as well; `*` is whatever has no route.
    if (known.has(url) || url === '*') return;
    known.add(url);
    const taken = [method].flat();
    const allow = taken.includes('GET') && exposeHeadRoute ? [...new Set([...taken, 'HEAD'])] : taken;
    this.route({
      method: this.supportedMethods.filter((one) => !allow.includes(one)),
      url: routePath,
      exposeHeadRoute: false,
      onRequest: async () => {
        throw new DomainError('method-not-allowed', { allow });
      },
      handler: () => undefined,
    });
  });
}
