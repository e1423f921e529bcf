import { type FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { DomainError } from '../errors/domain-error.js';

/**
 * Rejects methods that a path does not support, before any other check. The reply has the error format of the path. Covers only routes
 * registered later. One plugin must register all methods of a path.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  // To a method that it does not know, Fastify replies as if the path did not exist.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const taken = new Map<string, string[]>();
  let isRefusing = false;
  app.addHook('onRoute', function ({ method, url, routePath }) {
    // Skip the routes registered below, and `*`, which matches every unknown path.
    if (isRefusing || url === '*') return;
    const allow = taken.get(url) ?? [];
    allow.push(...[method].flat());
    if (taken.has(url)) return;
    taken.set(url, allow);
    // Wait until the plugin has registered the path's other methods.
    this.after(() => {
      isRefusing = true;
      this.route({
        method: this.supportedMethods.filter((one) => !allow.includes(one)),
        url: routePath,
        exposeHeadRoute: false,
        onRequest: async () => {
          throw new DomainError('method-not-allowed', { allow });
        },
        handler: () => undefined,
      });
      isRefusing = false;
    });
  });
}
