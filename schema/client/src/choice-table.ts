// Emitted from the tables of the gateway by npm run emit.
export const choices = {
  ApplicationMethod: [
    { value: 'internal_apply', label: { en: 'On this site', fr: 'Sur ce site' } },
    { value: 'external_apply', label: { en: 'On another site', fr: 'Sur un autre site' } },
  ],
  ChangeKind: [
    { value: 'job', label: { en: 'Job', fr: 'Offre' } },
    { value: 'company', label: { en: 'Company', fr: 'Entreprise' } },
  ],
  ChangeState: [
    { value: 'draft', label: { en: 'Draft', fr: 'Brouillon' } },
    { value: 'published', label: { en: 'Published', fr: 'Publiée' } },
    { value: 'archived', label: { en: 'Archived', fr: 'Archivée' } },
    { value: 'present', label: { en: 'Present', fr: 'Présente' } },
    { value: 'gone', label: { en: 'Gone', fr: 'Partie' } },
  ],
  CompanySort: [
    { value: 'public_id', label: { en: 'By public id', fr: 'Par identifiant public' } },
    { value: 'updated_at_desc', label: { en: 'Latest change first', fr: 'Dernière modification d’abord' } },
  ],
  JobSort: [
    { value: 'public_id', label: { en: 'By public id', fr: 'Par identifiant public' } },
    { value: 'updated_at_desc', label: { en: 'Latest change first', fr: 'Dernière modification d’abord' } },
    { value: 'published_at_desc', label: { en: 'Last published first', fr: 'Dernière publication d’abord' } },
  ],
  JobState: [
    { value: 'draft', label: { en: 'Draft', fr: 'Brouillon' } },
    { value: 'published', label: { en: 'Published', fr: 'Publiée' } },
    { value: 'archived', label: { en: 'Archived', fr: 'Archivée' } },
  ],
  Language: [
    { value: 'en', label: { en: 'English', fr: 'Anglais' } },
    { value: 'fr', label: { en: 'French', fr: 'Français' } },
  ],
  PayPeriod: [
    { value: 'hour', label: { en: 'Hour', fr: 'Heure' } },
    { value: 'day', label: { en: 'Day', fr: 'Jour' } },
    { value: 'week', label: { en: 'Week', fr: 'Semaine' } },
    { value: 'month', label: { en: 'Month', fr: 'Mois' } },
    { value: 'year', label: { en: 'Year', fr: 'Année' } },
  ],
  ReferenceKind: [
    { value: 'contract', label: { en: 'Contract', fr: 'Contrat' } },
    { value: 'worktime', label: { en: 'Work time', fr: 'Temps de travail' } },
    { value: 'remote', label: { en: 'Remote work', fr: 'Télétravail' } },
    { value: 'education', label: { en: 'Education', fr: 'Niveau d’études' } },
    { value: 'experience', label: { en: 'Experience', fr: 'Expérience' } },
    { value: 'size', label: { en: 'Company size', fr: 'Taille de l’entreprise' } },
    { value: 'sector', label: { en: 'Sector', fr: 'Secteur' } },
    { value: 'job_category', label: { en: 'Job category', fr: 'Catégorie d’offre' } },
  ],
  Role: [
    { value: 'media_admin', label: { en: 'Media administrator', fr: 'Administrateur de média' } },
    { value: 'media_partner', label: { en: 'Media partner', fr: 'Partenaire de média' } },
    { value: 'brand_admin', label: { en: 'Brand administrator', fr: 'Administrateur de marque' } },
  ],
  Transport: [
    { value: 'graphql', label: { en: 'GraphQL API', fr: 'API GraphQL' } },
    { value: 'rest', label: { en: 'REST API', fr: 'API REST' } },
    { value: 'task', label: { en: 'Scheduled task', fr: 'Tâche planifiée' } },
    { value: 'import', label: { en: 'Operator’s command', fr: 'Commande d’un opérateur' } },
  ],
} as const;
