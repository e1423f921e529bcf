import { choices, fieldLabelOf, type FormInputs, type InputName } from 'recruitment-gateway-client/forms';
import { language } from './gateway';

const texts = {
  all: ['All', 'Toutes'],
  search: ['Search jobs', 'Rechercher une offre'],
  place: ['Region, department, FRA', 'Région, département, FRA'],
  more: ['More jobs', 'Plus d’offres'],
  none: ['No job matches.', 'Aucune offre ne correspond.'],
  choose: ['Choose a job to edit it.', 'Choisissez une offre à modifier.'],
  back: ['← All jobs', '← Toutes les offres'],
  newJob: ['New job', 'Nouvelle offre'],
  duplicate: ['Duplicate', 'Dupliquer'],
  create: ['Create', 'Créer'],
  save: ['Save', 'Enregistrer'],
  discard: ['Discard', 'Annuler'],
  clean: ['No changes', 'Aucune modification'],
  dirty: ['Changed', 'Modifié'],
  saved: ['Saved.', 'Enregistré.'],
  warned: ['Saved. Please look at the marked fields.', 'Enregistré. Vérifiez les champs signalés.'],
  merged: ['Saved together with a colleague’s changes.', 'Enregistré avec les modifications d’un collègue.'],
  correct: ['Please correct the marked fields.', 'Corrigez les champs signalés.'],
  conflict: ['A colleague has changed the same fields', 'Un collègue a modifié les mêmes champs'],
  decide: ['Everything else is merged. Choose what to keep:', 'Le reste est fusionné. Choisissez :'],
  mine: ['Mine', 'La mienne'],
  theirs: ['Theirs', 'La sienne'],
  leave: ['Discard your changes?', 'Abandonner vos modifications ?'],
  history: ['History', 'Historique'],
  undo: ['Undo', 'Rétablir'],
  close: ['Close', 'Fermer'],
  unchanged: ['Nothing has changed yet.', 'Rien n’a encore changé.'],
  retry: ['Retry', 'Réessayer'],
  before: ['Before', 'Avant'],
  remove: ['Remove', 'Retirer'],
  bold: ['Bold', 'Gras'],
  italic: ['Italic', 'Italique'],
  heading: ['Heading', 'Titre'],
  paragraph: ['Paragraph', 'Paragraphe'],
  bullets: ['Bullets', 'Puces'],
  numbers: ['Numbers', 'Numéros'],
  link: ['Link', 'Lien'],
  lost: ['Cannot be undone', 'Ne peut pas être rétabli'],
  drop: ['Drop a logo here, or choose a file', 'Déposez un logo ici, ou choisissez un fichier'],
  company: ['Company', 'Entreprise'],
} as const;

export const text = (name: keyof typeof texts): string => texts[name][language === 'fr' ? 1 : 0];

type Type = keyof FormInputs;

/** What people call a field. */
export const fieldName = (type: Type, name: string): string =>
  fieldLabelOf(type, name as InputName<Type>, language).label;

export const options = (name: string): [string, string][] =>
  Object.entries(choices)
    .flatMap(([each, values]) => (each === name ? [...values] : []))
    .map(({ value, label }) => [value, label[language]]);
