import { type LocalisedText } from './catalogue.js';

/** Why a caller lacks authority, as the end of a message over GraphQL. */
export const unauthorizedReasons = {
  token_missing: { en: 'the request has no token', fr: 'la requête n’a pas de jeton' },
  token_invalid: { en: 'the token is not valid', fr: 'le jeton n’est pas valide' },
  token_expired: { en: 'the token has expired', fr: 'le jeton a expiré' },
  // The name of the scope follows.
  scope_missing: { en: 'the token lacks the scope', fr: 'il manque au jeton le scope' },
  role_missing: {
    en: 'the token has none of the roles that may do this',
    fr: 'aucun rôle du jeton ne permet cela',
  },
  // An absent record, a foreign record and a foreign media must look the same.
  out_of_reach: {
    en: 'there is no such media or record, or it is out of reach of the token',
    fr: 'ce média ou cet enregistrement n’existe pas, ou le jeton n’y donne pas accès',
  },
} as const satisfies Record<string, LocalisedText>;

export type UnauthorizedReason = keyof typeof unauthorizedReasons;
