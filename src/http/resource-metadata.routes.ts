import { type FastifyInstance } from 'fastify';
import { type Provider } from '../tokens/providers.js';
import { scopes } from '../operations.js';

const wellKnownPath = '/.well-known/oauth-protected-resource';

/** Where callers find the metadata (RFC 9728, 3.1): the path of PUBLIC_URL comes last. Undefined unless PUBLIC_URL is https. */
export function resourceMetadataUrl(publicUrl: string | undefined): string | undefined {
  if (!publicUrl?.startsWith('https:')) return undefined;
  const { origin, pathname } = new URL(publicUrl);
  return `${origin}${wellKnownPath}${pathname === '/' ? '' : pathname}`;
}

/** Says which tokens the gateway takes (RFC 9728), if PUBLIC_URL is https. */
export function registerResourceMetadataRoute(
  app: FastifyInstance,
  publicUrl: string | undefined,
  providers: readonly Provider[],
): void {
  if (resourceMetadataUrl(publicUrl) === undefined) return;
  const servers = providers.filter(({ isListed }) => isListed).map(({ issuer }) => issuer);
  app.get(wellKnownPath, () => ({
    resource: publicUrl,
    // RFC 9728, 3.2: leave out empty lists.
    ...(servers.length > 0 && { authorization_servers: servers }),
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  }));
}
