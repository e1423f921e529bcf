import { type Challenge, type DomainError } from './domain-error.js';

/**
 * The headers of an error reply (Contract 5.5, 7.1.3, 8.2.4, 9.1.3).
 * @param resourceMetadata where a caller learns which tokens the gateway takes (Contract 5.11)
 */
export function errorHeaders(
  { code, details }: DomainError,
  resourceMetadata?: string,
): Record<string, string> {
  const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`;
  return {
    ...(code === 'unauthorized-limitation' && {
      'www-authenticate': challengeText(details.challenge) + metadata,
    }),
    ...(details.retryAfterSeconds !== undefined && { 'retry-after': String(details.retryAfterSeconds) }),
    ...(details.current && { etag: `"${details.current.version}"` }),
    ...(details.allow && { allow: details.allow.join(', ') }),
  };
}

/** RFC 6750, 3: without a token, the challenge has no error code or description. */
function challengeText(challenge: Challenge | undefined): string {
  switch (challenge?.reason) {
    case 'invalid-token':
      return `Bearer realm="gateway", error="invalid_token", error_description="${challenge.description}"`;
    case 'insufficient-scope':
      return `Bearer realm="gateway", error="insufficient_scope", scope="${challenge.scope}", error_description="the token lacks the scope ${challenge.scope}"`;
    case 'no-token':
    case undefined:
      return 'Bearer realm="gateway"';
  }
}
