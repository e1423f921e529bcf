import { choices, labelOf } from 'recruitment-gateway-client/forms';
import { language } from './gateway';

const texts = {
  all: ['All', 'Toutes'],
  search: ['Search jobs', 'Rechercher une offre'],
  more: ['More jobs', 'Plus d’offres'],
  none: ['No job matches.', 'Aucune offre ne correspond.'],
  choose: ['Choose a job to edit it.', 'Choisissez une offre à modifier.'],
  back: ['← All jobs', '← Toutes les offres'],
  save: ['Save', 'Enregistrer'],
  discard: ['Discard', 'Annuler'],
  clean: ['No changes', 'Aucune modification'],
  dirty: ['Changed', 'Modifié'],
  saved: ['Saved.', 'Enregistré.'],
  merged: ['Saved together with a colleague’s changes.', 'Enregistré avec les modifications d’un collègue.'],
  correct: ['Please correct the marked fields.', 'Corrigez les champs signalés.'],
  conflict: ['A colleague has changed the same fields', 'Un collègue a modifié les mêmes champs'],
  decide: ['Everything else is merged. Choose what to keep:', 'Le reste est fusionné. Choisissez :'],
  mine: ['Mine', 'La mienne'],
  theirs: ['Theirs', 'La sienne'],
  leave: ['Discard your changes?', 'Abandonner vos modifications ?'],
  history: ['History', 'Historique'],
  undo: ['Undo', 'Rétablir'],
  lost: ['Cannot be undone', 'Ne peut pas être rétabli'],
  empty: ['empty', 'vide'],
  hidden: ['changed', 'modifié'],
  drop: ['Drop a logo here, or choose a file', 'Déposez un logo ici, ou choisissez un fichier'],
  publication: ['Publication', 'Publication'],
  position: ['Position', 'Poste'],
  pay: ['Pay', 'Rémunération'],
  application: ['Application', 'Candidature'],
  texts: ['Texts', 'Textes'],
  company: ['Company', 'Entreprise'],
  state: ['State', 'État'],
  expiresAt: ['Ends on', 'Fin'],
  localisation: ['Place', 'Lieu'],
  salary: ['Salary, as shown', 'Salaire affiché'],
  salaryRange: ['Pay', 'Rémunération'],
  'salaryRange.minimum': ['From', 'De'],
  'salaryRange.maximum': ['To', 'À'],
  'salaryRange.currency': ['Currency', 'Devise'],
  'salaryRange.period': ['Per', 'Par'],
  applicationMethod: ['Apply', 'Postuler'],
  applicationUrl: ['Application URL', 'URL de candidature'],
  managerEmails: ['Managers', 'Responsables'],
  recruiterEmails: ['Recruiters', 'Recruteurs'],
  descriptionCompany: ['The company', 'L’entreprise'],
  descriptionJob: ['The job', 'Le poste'],
  descriptionProfile: ['Wanted profile', 'Profil recherché'],
  descriptionBenefits: ['Benefits', 'Avantages'],
  descriptionProcess: ['Hiring process', 'Processus de recrutement'],
  name: ['Name', 'Nom'],
  domainUrl: ['Website', 'Site web'],
  description: ['Description', 'Description'],
  logoUrl: ['Logo', 'Logo'],
  logo: ['Logo', 'Logo'],
  publishedAt: ['Published on', 'Publiée le'],
  location: ['Recognised place', 'Lieu reconnu'],
} as const;

/** The inputs of references, by kind: the kit labels the kinds. */
const kinds = {
  contractId: 'contract',
  jobCategoryId: 'job_category',
  worktimeId: 'worktime',
  remotePolicyId: 'remote',
  educationId: 'education',
  experienceId: 'experience',
  sizeId: 'size',
  sectorIds: 'sector',
} as const;

export const text = (name: keyof typeof texts): string => texts[name][language === 'fr' ? 1 : 0];

const isKnown = (name: string): name is keyof typeof texts => name in texts;
const isKind = (name: string): name is keyof typeof kinds => name in kinds;

/** What people call a field. */
export const fieldName = (name: string): string =>
  isKnown(name) ? text(name) : isKind(name) ? labelOf('ReferenceKind', kinds[name], language) : name;

/** A value as people read it. */
export function shown(name: string, value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.join(', ');
  if (typeof value === 'object' && value && !Array.isArray(value))
    return Object.values(value).filter(Boolean).join(' ');
  if (typeof value !== 'string' || value === '') return text('empty');
  if (name === 'state') return labelOf('JobState', value, language);
  if (name === 'applicationMethod') return labelOf('ApplicationMethod', value, language);
  return /At$/.test(name) ? new Date(value).toLocaleDateString(language) : value.replace(/<[^>]+>/g, ' ');
}

export const options = (name: string): [string, string][] =>
  Object.entries(choices)
    .flatMap(([each, values]) => (each === name ? [...values] : []))
    .map(({ value, label }) => [value, label[language]]);
