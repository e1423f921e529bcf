/**
 * The signature algorithms that a token may have (Contract 5.4). Asymmetric ones only: never `none`, and never HMAC,
 * where the public key would be taken for the secret.
 */
export const tokenAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
