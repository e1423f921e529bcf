import { type LabelLanguage } from './choices.js';
import { type FormInputs, type InputName } from './limits.js';

const sections = {
  position: ['Position', 'Poste'],
  publication: ['Publication', 'Publication'],
  pay: ['Pay', 'Rémunération'],
  application: ['Application', 'Candidature'],
  texts: ['Texts', 'Textes'],
  company: ['Company', 'Entreprise'],
} as const;

/** The parts of a form, in order. */
export type Section = keyof typeof sections;

type Row = readonly [section: Section | null, en: string, fr: string, helpEn?: string, helpFr?: string];
/** The compiler demands a row for each field of the inputs. */
type Rows<Type extends keyof FormInputs> = Readonly<Record<InputName<Type>, Row>>;

const emails = ['At most four addresses, separated by ;', 'Quatre adresses au plus, séparées par ;'] as const;

const ofJob: Rows<'CreateJobInput'> & Rows<'UpdateJobInput'> = {
  mediaPublicId: ['position', 'Media', 'Média'],
  companyPublicId: ['position', 'Company', 'Entreprise'],
  name: ['position', 'Title', 'Intitulé'],
  jobPublicId: [
    'position',
    'Public id',
    'Identifiant public',
    'a-z, 0-9, -; made if empty',
    'a-z, 0-9, - ; sinon automatique',
  ],
  contractId: ['position', 'Contract', 'Contrat'],
  jobCategoryId: ['position', 'Job category', 'Catégorie d’offre'],
  worktimeId: ['position', 'Work time', 'Temps de travail'],
  remotePolicyId: ['position', 'Remote work', 'Télétravail'],
  educationId: ['position', 'Education', 'Niveau d’études'],
  experienceId: ['position', 'Experience', 'Expérience'],
  localisation: [
    'position',
    'Place',
    'Lieu',
    'Street, city, department, country',
    'Rue, ville, département, pays',
  ],
  state: ['publication', 'State', 'État'],
  expiresAt: [
    'publication',
    'Ends on',
    'Fin',
    'Empty: the latest possible date',
    'Vide : la date la plus tardive',
  ],
  salary: ['pay', 'Salary, as shown', 'Salaire affiché'],
  salaryRange: ['pay', 'Pay', 'Rémunération'],
  'salaryRange.minimum': ['pay', 'From', 'De'],
  'salaryRange.maximum': ['pay', 'To', 'À'],
  'salaryRange.currency': ['pay', 'Currency', 'Devise'],
  'salaryRange.period': ['pay', 'Per', 'Par'],
  applicationMethod: ['application', 'Apply', 'Postuler'],
  applicationUrl: ['application', 'Application URL', 'URL de candidature'],
  managerEmails: ['application', 'Managers', 'Responsables', ...emails],
  recruiterEmails: ['application', 'Recruiters', 'Recruteurs', ...emails],
  descriptionJob: ['texts', 'The job', 'Le poste'],
  descriptionProfile: ['texts', 'Wanted profile', 'Profil recherché'],
  descriptionBenefits: ['texts', 'Benefits', 'Avantages'],
  descriptionProcess: ['texts', 'Hiring process', 'Processus de recrutement'],
  descriptionCompany: ['texts', 'The company', 'L’entreprise'],
};

const ofCompany: Rows<'UpdateCompanyInput'> = {
  mediaPublicId: ['company', 'Media', 'Média'],
  companyPublicId: ['company', 'Public id', 'Identifiant public'],
  name: ['company', 'Name', 'Nom'],
  domainUrl: ['company', 'Website', 'Site web'],
  sizeId: ['company', 'Company size', 'Taille de l’entreprise'],
  sectorIds: ['company', 'Sectors', 'Secteurs'],
  description: ['company', 'Description', 'Description'],
  logo: ['company', 'Logo', 'Logo'],
  logoUrl: ['company', 'Logo', 'Logo'],
};

/** Fields of histories that no form writes. */
const ofHistories: Readonly<Record<string, Row>> = {
  publishedAt: [null, 'Published on', 'Publiée le'],
  location: [null, 'Recognised place', 'Lieu reconnu'],
};

export interface FieldLabel {
  /** The name that people use. */
  label: string;
  /** Help to fill the field in; null if there is none. */
  help: string | null;
  /** The part of a form for the field; null for a field that no form writes. */
  section: { name: Section; label: string } | null;
}

/** The name that people use for a field, such as `fieldLabelOf('UpdateJobInput', 'salaryRange.minimum', 'fr')`, with its help and section. */
export const fieldLabelOf = <Type extends keyof FormInputs>(
  type: Type,
  name: InputName<Type>,
  language: LabelLanguage,
): FieldLabel => anyFieldLabelOf(type, name, language);

/** As {@link fieldLabelOf}, also for the fields of histories. A field of a newer gateway is its own label. */
export function anyFieldLabelOf(type: keyof FormInputs, name: string, language: LabelLanguage): FieldLabel {
  const index = language === 'fr' ? 1 : 0;
  const rows: Readonly<Record<string, Row>> = type === 'UpdateCompanyInput' ? ofCompany : ofJob;
  const [section, ...texts] = rows[name] ?? ofHistories[name] ?? [null, name, name];
  return {
    label: texts[index],
    help: texts[index + 2] ?? null,
    section: section && { name: section, label: sections[section][index] },
  };
}

/** The sections of a form in order, each with its inputs. A group such as `salaryRange` stands as its parts. */
export function formSections<Type extends keyof FormInputs>(type: Type, language: LabelLanguage) {
  const rows: Readonly<Record<string, Row>> = type === 'UpdateCompanyInput' ? ofCompany : ofJob;
  const names = Object.keys(rows) as InputName<Type>[];
  return Object.entries(sections)
    .map(([name, labels]) => ({
      name: name as Section,
      label: labels[language === 'fr' ? 1 : 0],
      inputs: names.filter(
        (input) => rows[input]?.[0] === name && !names.some((part) => part.startsWith(`${input}.`)),
      ),
    }))
    .filter(({ inputs }) => inputs.length > 0);
}
