import { type LocalisedText } from '../errors/catalogue.js';

/** A part of a request that was accepted but not applied, or changed before it was stored. */
export interface Warning {
  code: keyof typeof warningMessages;
  /** The field's GraphQL input name. REST translates it. */
  field: string;
}

export const warningMessages = {
  'name-immutable': {
    en: 'The name of a job cannot be changed; the new name was not applied.',
    fr: 'Le nom d’une offre ne peut pas être modifié ; le nouveau nom n’a pas été appliqué.',
  },
  'identifier-not-applied': {
    en: 'This value was only used to find the company; the stored spelling was kept.',
    fr: 'Cette valeur a seulement servi à trouver l’entreprise ; la graphie enregistrée a été conservée.',
  },
  'html-cleaned': {
    en: 'Some of the HTML is not allowed and was removed.',
    fr: 'Une partie du HTML n’est pas autorisée et a été retirée.',
  },
  'text-escaped': {
    en: 'A < or & was not markup; it was kept as text and escaped in the HTML.',
    fr: 'Un < ou un & n’était pas du balisage ; il a été conservé comme texte et échappé dans le HTML.',
  },
  'logo-url-ignored': {
    en: 'A logo file was sent too; the URL was not applied.',
    fr: 'Un fichier de logo a aussi été envoyé ; l’URL n’a pas été appliquée.',
  },
  'logo-animation-removed': {
    en: 'The logo is animated; only its first frame was kept.',
    fr: 'Le logo est animé ; seule sa première image a été conservée.',
  },
  'location-unresolved': {
    en: 'The place was not recognised; its text was stored as the city.',
    fr: 'Le lieu n’a pas été reconnu ; son texte a été enregistré comme ville.',
  },
  'unknown-field': {
    en: 'This field is not known here and was ignored.',
    fr: 'Ce champ n’est pas connu à cet endroit et a été ignoré.',
  },
} satisfies Record<string, LocalisedText>;

/** As a payload shows it. */
export interface WarningView extends Warning {
  message: string;
}
