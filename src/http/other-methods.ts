import { type FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { DomainError } from '../errors/domain-error.js';

/**
 * Rejects every method that a path does not support, before any other check (Contract 7.1.1, 7.1.3). The reply lists the
 * supported methods, in the error format of the path. Covers only routes that are registered later. All methods of a path must
 * be registered by the same plugin.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  // Add all methods that Node.js accepts. To a method that it does not know, Fastify replies as if the path did not exist.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const taken = new Map<string, string[]>();
  let isRefusing = false;
  app.addHook('onRoute', function ({ method, url, routePath }) {
    // Skip the routes that are registered below, and `*`, which matches every unknown path.
    if (isRefusing || url === '*') return;
    const allow = taken.get(url) ?? [];
    allow.push(...[method].flat());
    if (taken.has(url)) return;
    taken.set(url, allow);
    // Wait until the plugin has registered the other methods of the path, such as HEAD for a GET.
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
