import { type FastifyInstance } from 'fastify';
import { documentedPath } from '../errors/documented-name.js';

/**
 * The documented path, `/jobs/{job_public_id}`, for one with a slash too many (Contract 7.1.6), so that nothing of the caller's
 * is repeated. Knows the routes that are made after this call.
 */
export function nearestPaths(app: FastifyInstance): (url: string) => string | null {
  const routes = new Map<string, RegExp>();
  app.addHook('onRoute', ({ url }) => {
    if (url.includes('*')) return;
    const pattern = url.replace(/[.$^+?()|[\]{}\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
    routes.set(documentedPath(url), new RegExp(`^${pattern}$`));
  });
  return (url) => {
    const [path = ''] = url.split('?');
    const tidy = path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
    if (tidy === path) return null;
    return [...routes].find(([, pattern]) => pattern.test(tidy))?.[0] ?? null;
  };
}
