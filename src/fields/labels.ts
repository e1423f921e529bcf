import {
  catalogue,
  type ErrorCode,
  errorCodes,
  type FaultReason,
  type Language,
  type LocalisedText,
} from '../errors/catalogue.js';
import { type Bucket, type Role, type Scope } from '../operations.js';
import { unauthorizedReasons } from '../errors/unauthorized-reason.js';
import { warningMessages } from './warning.js';

type Labels<Choice extends string> = Record<Choice, LocalisedText>;

const label = (en: string, fr: string): LocalisedText => ({ en, fr });

/** The names that people use for the values of each enum of the schema, in order: in messages, and in `choices` of the client package. */
export const labels = {
  ApplicationMethod: {
    internal_apply: label('On this site', 'Sur ce site'),
    external_apply: label('On another site', 'Sur un autre site'),
  },
  ChangeKind: { job: label('Job', 'Offre'), company: label('Company', 'Entreprise') },
  ChangeState: {
    draft: label('Draft', 'Brouillon'),
    published: label('Published', 'Publiée'),
    archived: label('Archived', 'Archivée'),
    present: label('Present', 'Présente'),
    gone: label('Gone', 'Partie'),
  },
  CompanySort: {
    public_id: label('By public id', 'Par identifiant public'),
    updated_at_desc: label('Latest change first', 'Dernière modification d’abord'),
  },
  ErrorCode: Object.fromEntries(
    errorCodes.map((code) => [code, catalogue[code].message]),
  ) as Labels<ErrorCode>,
  FaultReason: {
    missing: label('Missing', 'Manquant'),
    type: label('Wrong type', 'Type incorrect'),
    format: label('Wrong format', 'Format incorrect'),
    too_long: label('Too long', 'Trop long'),
    too_many: label('Too many', 'Trop nombreux'),
    not_found: label('Not found', 'Introuvable'),
    conflict: label('Conflict', 'Conflit'),
    not_clearable: label('Cannot be empty', 'Ne peut pas être vide'),
  } satisfies Labels<FaultReason>,
  JobSort: {
    public_id: label('By public id', 'Par identifiant public'),
    updated_at_desc: label('Latest change first', 'Dernière modification d’abord'),
    published_at_desc: label('Last published first', 'Dernière publication d’abord'),
  },
  JobState: {
    draft: label('Draft', 'Brouillon'),
    published: label('Published', 'Publiée'),
    archived: label('Archived', 'Archivée'),
  },
  Language: { en: label('English', 'Anglais'), fr: label('French', 'Français') } satisfies Labels<Language>,
  PayPeriod: {
    hour: label('Hour', 'Heure'),
    day: label('Day', 'Jour'),
    week: label('Week', 'Semaine'),
    month: label('Month', 'Mois'),
    year: label('Year', 'Année'),
  },
  QuotaName: {
    updateJob: label('Job updates', 'Modifications d’offres'),
    mutation: label('Other changes', 'Autres modifications'),
    read: label('Reads', 'Lectures'),
  } satisfies Labels<Bucket>,
  ReferenceKind: {
    contract: label('Contract', 'Contrat'),
    worktime: label('Work time', 'Temps de travail'),
    remote: label('Remote work', 'Télétravail'),
    education: label('Education', 'Niveau d’études'),
    experience: label('Experience', 'Expérience'),
    size: label('Company size', 'Taille de l’entreprise'),
    sector: label('Sector', 'Secteur'),
    job_category: label('Job category', 'Catégorie d’offre'),
  },
  Role: {
    media_admin: label('Media administrator', 'Administrateur de média'),
    media_partner: label('Media partner', 'Partenaire de média'),
    brand_admin: label('Brand administrator', 'Administrateur de marque'),
  } satisfies Labels<Role>,
  Scope: {
    r_jobs: label('Read jobs', 'Lire les offres'),
    r_w_jobs: label('Read and update jobs', 'Lire et modifier les offres'),
    r_companies: label('Read companies', 'Lire les entreprises'),
    r_w_companies: label('Read and update companies', 'Lire et modifier les entreprises'),
  } satisfies Labels<Scope>,
  Transport: {
    graphql: label('GraphQL API', 'API GraphQL'),
    rest: label('REST API', 'API REST'),
    task: label('Scheduled task', 'Tâche planifiée'),
    import: label('Operator’s command', 'Commande d’un opérateur'),
  },
  UnauthorizedReason: unauthorizedReasons,
  WarningCode: warningMessages,
} satisfies Record<string, Labels<string>>;

export type EnumName = keyof typeof labels;
export type ChoiceOf<Name extends EnumName> = keyof (typeof labels)[Name] & string;

/** The choices of an enum, in the order of their labels. */
export const choicesOf = <Name extends EnumName>(name: Name): readonly ChoiceOf<Name>[] =>
  Object.keys(labels[name]) as never;

/** The labels of an enum, by its name in the schema. */
export const labelsOf = (name: string): Labels<string> | undefined =>
  (labels as Record<string, Labels<string>>)[name];
