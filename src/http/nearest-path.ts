import { type FastifyInstance } from 'fastify';
import { documentedPath } from '../errors/documented-name.js';

/**
 * Finds the documented path for a path with extra slashes (Contract 7.1.6). The result repeats nothing that the caller sent. Call this
 * before registering routes.
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
