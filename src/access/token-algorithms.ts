/** The signature algorithms of tokens (Contract 5.4): never `none`, nor HMAC, which would take the public key for the secret. */
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
