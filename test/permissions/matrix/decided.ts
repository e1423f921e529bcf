import { type TestGateway } from '../../support/gateway.js';
import { type Credential, holderOf, scopeSets } from './callers.js';
import { type Row } from './operations.js';
import { type Outcome } from './outcome.js';
import { type PlaceName, places, reachOf, reachOfMedia } from './places.js';

/** The outcome that the contract expects: the first check that fails decides (Contract 7.1.1). */
function decided(operation: Row, placeName: PlaceName, credential: Credential): Outcome {
  const { holder, scopeSet } = credential;
  if (!credential.token) return 'no-token';
  if (!holder || !scopeSet) return 'invalid-token';
  if (operation.needsRole && (holder === 'noRole' || holder === 'unknownRole')) return 'refused';
  const has = (scopes: readonly string[]) =>
    scopes.some((scope) => scopeSets[scopeSet].split(' ').includes(scope));
  if (operation.scopes.length > 0 && !has(operation.scopes))
    return `insufficient-scope ${operation.scopes[0]}`;
  if (operation.isPlaceless) return 'done';
  if (operation.nodeScopes && !has(operation.nodeScopes)) return 'null';
  const reach =
    (operation.isOfMedia ? reachOfMedia[places[placeName].media] : reachOf[placeName])?.[holder] ??
    'no row says';
  if (operation.nodeScopes && reach !== 'done') return 'null';
  if (reach === 'absent')
    return operation.absent?.[placeName === 'absent record' ? 'record' : 'company'] ?? 'no row says';
  if (reach === 'done' && operation.fieldScopes && !has(operation.fieldScopes)) return 'withheld FORBIDDEN';
  // These callers reach the job but not its company: another partner made the company, or it has another brand.
  const isOfOthers =
    holder === 'mediaPartner' ||
    (holder === 'partnerAndBrandAdmin' && placeName === 'own record, other brand');
  return reach === 'done' && operation.isOfEmployer && isOfOthers ? 'null' : reach;
}

/** These holders try every place three times: without scopes, with the read scopes and with the write scopes. */
export const mainHolders: readonly string[] = [...Object.values(holderOf), 'noRole'];

/** The actual and the expected outcome of an operation at a place, by caller. */
export async function outcomesAt(
  gateway: TestGateway,
  operation: Row,
  placeName: PlaceName,
  credentials: readonly Credential[],
) {
  const actual = credentials.map(async (credential) => [
    credential.name,
    await operation.call(gateway, places[placeName], credential.token),
  ]);
  const expected = credentials.map((credential) => [
    credential.name,
    decided(operation, placeName, credential),
  ]);
  return {
    actual: Object.fromEntries(await Promise.all(actual)) as Record<string, Outcome>,
    expected: Object.fromEntries(expected) as Record<string, Outcome>,
  };
}
