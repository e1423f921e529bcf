import { type FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { DomainError } from '../errors/domain-error.js';

/**
 * Refuses on every path of the routes to come each method that they do not take, with what the path takes and in its
 * own form of errors, before anything else is looked at (Contract 7.1.1, 7.1.3). All methods of a path are registered
 * by one plugin.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  // Fastify answers a method that it was not told of as if the path did not exist.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const taken = new Map<string, string[]>();
  let isRefusing = false;
  app.addHook('onRoute', function ({ method, url, routePath }) {
    // This hook also sees the routes that are made here; `*` stands for whatever has no route.
    if (isRefusing || url === '*') return;
    const allow = taken.get(url) ?? [];
    allow.push(...[method].flat());
    if (taken.has(url)) return;
    taken.set(url, allow);
    // When the plugin has registered what else the path takes, HEAD for a GET among it.
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
