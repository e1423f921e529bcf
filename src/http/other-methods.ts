import { type FastifyInstance } from 'fastify';
import { METHODS } from 'node:http';
import { DomainError } from '../errors/domain-error.js';

/**
 * Refuses every method that a path does not take, before anything else is looked at (Contract 7.1.1, 7.1.3). The
 * refusal names the methods that the path takes, in the path's own form of errors. Holds for the routes that are made
 * after this call; one plugin must register all methods of a path.
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
    // By then the plugin has registered whatever else the path takes, such as HEAD beside a GET.
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
