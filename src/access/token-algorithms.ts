/**
 * The accepted signature algorithms (Contract 5.4). Never add `none`, or HMAC, whose secret would be the public key: anyone could sign.
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
