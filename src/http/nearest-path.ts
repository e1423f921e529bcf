import { type FastifyInstance } from 'fastify';
import { documentedName } from '../errors/documented-name.js';

/**
 * Finds, for a path that is not there, the path of a route to come that it would be with a slash less (Contract 7.1.6): as
 * it is documented, `/jobs/{job_public_id}`, so that nothing of the caller's is repeated.
 */
export function nearestPaths(app: FastifyInstance): (path: string) => string | null {
  const routes = new Map<string, RegExp>();
  app.addHook('onRoute', ({ url }) => {
    if (url.includes('*')) return;
    const pattern = url.replace(/[.$^+?()|[\]{}\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
    const shown = url.replace(/:(\w+)/g, (_, name: string) => `{${documentedName(name)}}`);
    routes.set(shown, new RegExp(`^${pattern}$`));
  });
  return (path) => {
    const tidy = path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
    if (tidy === path) return null;
    return [...routes].find(([, pattern]) => pattern.test(tidy))?.[0] ?? null;
  };
}
