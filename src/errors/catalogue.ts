export const languages = ['fr', 'en'] as const;
export type Language = (typeof languages)[number];

export type LocalisedText = Record<Language, string>;

/** The kinds of field faults, without the field. */
export const faultReasons = {
  missing: 'The field is required.',
  type: 'The value has the wrong type.',
  format: 'The value has the right type, but not the form or the range that the field asks for.',
  too_long: 'The text is too long, or the file too large.',
  too_many: 'The list is too long, or the page too large.',
  not_found: 'The value is the id of no record.',
  conflict: 'The value does not go with what is stored; `code` is then the code of the refusal.',
  not_clearable: 'The field cannot be null.',
} as const;

export type FaultReason = keyof typeof faultReasons;

export interface CatalogueEntry {
  /** HTTP status in REST, `extensions.status` in GraphQL. */
  status: number;
  message: LocalisedText;
  /** The inputs that can cause the error; default: none. */
  reasons?: readonly FaultReason[];
}

/** Every error that a caller can get. The list is closed. */
export const catalogue = {
  'unauthorized-limitation': {
    status: 401,
    // The documentation has this English text for every language.
    message: { en: 'Unauthorized', fr: 'Unauthorized' },
  },
  'company-already-existed': {
    status: 409,
    message: {
      en: 'This company already exists. Please contact support to have it added.',
      fr: 'Cette entreprise existe déjà. Veuillez contacter le support pour la faire ajouter.',
    },
    reasons: ['conflict'],
  },
  'job-already-existed': {
    status: 409,
    message: {
      en: 'A job with this public id already exists.',
      fr: 'Une offre avec cet identifiant public existe déjà.',
    },
    reasons: ['conflict'],
  },
  'company-not-published': {
    status: 409,
    message: {
      en: 'The company is not currently published in this media.',
      fr: 'L’entreprise n’est actuellement pas publiée dans ce média.',
    },
  },
  'version-conflict': {
    status: 412,
    message: {
      en: 'The record has changed since the version you expected.',
      fr: 'L’enregistrement a été modifié depuis la version indiquée.',
    },
  },
  'company-not-found': {
    status: 404,
    message: {
      en: 'There is no such company in this media.',
      fr: 'Cette entreprise n’existe pas dans ce média.',
    },
  },
  'job-not-found': {
    status: 404,
    message: {
      en: 'This company has no such job in this media.',
      fr: 'Cette entreprise n’a pas cette offre dans ce média.',
    },
  },
  'validation-failed': {
    status: 422,
    message: { en: 'One or more fields are not valid.', fr: 'Un ou plusieurs champs ne sont pas valides.' },
    reasons: ['missing', 'type', 'format', 'too_long', 'too_many', 'not_found', 'not_clearable'],
  },
  'body-format-error': {
    status: 400,
    message: { en: 'The body of the request cannot be read.', fr: 'Le corps de la requête est illisible.' },
  },
  'method-not-allowed': {
    status: 405,
    message: {
      en: 'This path does not accept this method.',
      fr: 'Ce chemin n’accepte pas cette méthode.',
    },
  },
  'content-type-not-supported': {
    status: 415,
    message: {
      en: 'This content type is not supported here.',
      fr: 'Ce type de contenu n’est pas accepté ici.',
    },
  },
  'payload-too-large': {
    status: 413,
    message: {
      en: 'The request or its answer is too large.',
      fr: 'La requête ou sa réponse est trop volumineuse.',
    },
    reasons: ['too_long'],
  },
  'not-found': {
    status: 404,
    message: { en: 'There is nothing at this path.', fr: 'Il n’y a rien à cette adresse.' },
  },
  'rate-limit-exceeded': {
    status: 429,
    message: {
      en: 'Too many requests. Please try again later.',
      fr: 'Trop de requêtes. Veuillez réessayer plus tard.',
    },
  },
  'state-transition-not-allowed': {
    status: 409,
    message: {
      en: 'The job cannot move from its current state to the requested one.',
      fr: 'L’offre ne peut pas passer de son état actuel à l’état demandé.',
    },
    reasons: ['conflict'],
  },
  'idempotency-key-reuse': {
    status: 422,
    message: {
      en: 'This idempotency key was used with a different body.',
      fr: 'Cette clé d’idempotence a déjà servi avec un autre corps.',
    },
  },
  'internal-error': {
    status: 500,
    message: { en: 'Something went wrong on our side.', fr: 'Une erreur est survenue de notre côté.' },
  },
  'service-unavailable': {
    status: 503,
    message: {
      en: 'The service is temporarily unavailable. Please try again.',
      fr: 'Le service est momentanément indisponible. Veuillez réessayer.',
    },
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

export const errorCodes = Object.keys(catalogue) as readonly ErrorCode[];

const graphqlCodes = {
  400: 'BAD_USER_INPUT',
  401: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'BAD_USER_INPUT',
  409: 'CONFLICT',
  412: 'CONFLICT',
  413: 'BAD_USER_INPUT',
  415: 'BAD_USER_INPUT',
  422: 'BAD_USER_INPUT',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

/** The value of `extensions.code`. `extensions.error` is more precise. */
export const graphqlCodeOf = (code: ErrorCode) => graphqlCodes[catalogue[code].status];
