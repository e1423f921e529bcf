import { expect, it } from '@jest/globals';
import { errors } from 'jose';
import { describeTokenFault, TokenFault } from '../../src/tokens/token-claims.js';

it.each([
  [new TokenFault('of ours'), 'of ours'],
  [
    new errors.JWTClaimValidationFailed('a secret', {}, 'aud'),
    'the claim aud is missing or does not have the expected value',
  ],
  [new errors.JWTExpired('a secret', {}), 'the token has expired'],
  [new errors.JWSSignatureVerificationFailed('a secret'), 'the signature does not verify'],
  [new errors.JWKSNoMatchingKey('a secret'), 'no known key has this kid and alg'],
  [new errors.JOSEAlgNotAllowed('a secret'), 'the gateway does not accept this alg'],
  [new errors.JWSInvalid('a secret'), 'the token is malformed'],
  [new Error('a secret'), 'the token is malformed'],
  [null, 'the token is malformed'],
])('a token fault is described without quoting the token: %p (Contract 5.5)', (error, description) => {
  expect(describeTokenFault(error)).toBe(description);
});
