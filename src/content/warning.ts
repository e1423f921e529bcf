import { type LocalisedText } from '../errors/catalogue.js';

/** What was accepted but not applied, or changed on the way in (Contract 7.5). */
export interface Warning {
  code: keyof typeof warningMessages;
  /** The field as the inputs of GraphQL spell it; REST translates it. */
  field: string;
}

/** The text of each warning, in both languages. */
export const warningMessages = {
  'name-immutable': {
    en: 'The name of a job cannot be changed; the one given was not applied.',
    fr: 'Le nom d’une offre ne peut pas être modifié ; celui donné n’a pas été appliqué.',
  },
  'identifier-not-applied': {
    en: 'This value identified the company and was not applied; the company keeps its own spelling.',
    fr: 'Cette valeur a identifié l’entreprise et n’a pas été appliquée ; l’entreprise garde sa propre graphie.',
  },
  'html-cleaned': {
    en: 'Some of the HTML is not allowed and was removed.',
    fr: 'Une partie du HTML n’est pas autorisée et a été retirée.',
  },
  'text-escaped': {
    en: 'A < or & was not markup; it was kept as text, and is escaped in the HTML.',
    fr: 'Un < ou un & n’était pas du balisage ; il a été conservé comme texte, et échappé dans le HTML.',
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
    en: 'The place could not be resolved; it was kept as the city.',
    fr: 'Le lieu n’a pas pu être résolu ; il a été conservé comme ville.',
  },
  'unknown-field': {
    en: 'This field is not known and was ignored.',
    fr: 'Ce champ est inconnu et a été ignoré.',
  },
} satisfies Record<string, LocalisedText>;
