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
  ErrorCode: [
    { value: 'unauthorized_limitation', label: { en: 'Unauthorized', fr: 'Unauthorized' } },
    {
      value: 'company_already_existed',
      label: {
        en: 'This company already exists. Please contact support to have it added.',
        fr: 'Cette entreprise existe déjà. Veuillez contacter le support pour la faire ajouter.',
      },
    },
    {
      value: 'company_not_published',
      label: {
        en: 'The company is not currently published in this media.',
        fr: 'L’entreprise n’est actuellement pas publiée dans ce média.',
      },
    },
    {
      value: 'version_conflict',
      label: {
        en: 'The record has changed since the version you expected.',
        fr: 'L’enregistrement a été modifié depuis la version indiquée.',
      },
    },
    {
      value: 'company_not_found',
      label: {
        en: 'There is no such company in this media.',
        fr: 'Cette entreprise n’existe pas dans ce média.',
      },
    },
    {
      value: 'job_not_found',
      label: {
        en: 'This company has no such job in this media.',
        fr: 'Cette entreprise n’a pas cette offre dans ce média.',
      },
    },
    {
      value: 'validation_failed',
      label: { en: 'One or more fields are not valid.', fr: 'Un ou plusieurs champs ne sont pas valides.' },
    },
    {
      value: 'body_format_error',
      label: { en: 'The body of the request cannot be read.', fr: 'Le corps de la requête est illisible.' },
    },
    {
      value: 'method_not_allowed',
      label: { en: 'This path does not accept this method.', fr: 'Ce chemin n’accepte pas cette méthode.' },
    },
    {
      value: 'content_type_not_supported',
      label: {
        en: 'This content type is not supported here.',
        fr: 'Ce type de contenu n’est pas accepté ici.',
      },
    },
    {
      value: 'payload_too_large',
      label: {
        en: 'The request or its answer is too large.',
        fr: 'La requête ou sa réponse est trop volumineuse.',
      },
    },
    {
      value: 'not_found',
      label: { en: 'There is nothing at this path.', fr: 'Il n’y a rien à cette adresse.' },
    },
    {
      value: 'rate_limit_exceeded',
      label: {
        en: 'Too many requests. Please try again later.',
        fr: 'Trop de requêtes. Veuillez réessayer plus tard.',
      },
    },
    {
      value: 'state_transition_not_allowed',
      label: {
        en: 'The job cannot move from its current state to the requested one.',
        fr: 'L’offre ne peut pas passer de son état actuel à l’état demandé.',
      },
    },
    {
      value: 'idempotency_key_reuse',
      label: {
        en: 'This idempotency key was used with a different body.',
        fr: 'Cette clé d’idempotence a déjà servi avec un autre corps.',
      },
    },
    {
      value: 'internal_error',
      label: { en: 'Something went wrong on our side.', fr: 'Une erreur est survenue de notre côté.' },
    },
    {
      value: 'service_unavailable',
      label: {
        en: 'The service is temporarily unavailable. Please try again.',
        fr: 'Le service est momentanément indisponible. Veuillez réessayer.',
      },
    },
  ],
  FaultReason: [
    { value: 'missing', label: { en: 'Missing', fr: 'Manquant' } },
    { value: 'type', label: { en: 'Wrong type', fr: 'Type incorrect' } },
    { value: 'format', label: { en: 'Wrong format', fr: 'Format incorrect' } },
    { value: 'too_long', label: { en: 'Too long', fr: 'Trop long' } },
    { value: 'too_many', label: { en: 'Too many', fr: 'Trop nombreux' } },
    { value: 'not_found', label: { en: 'Not found', fr: 'Introuvable' } },
    { value: 'conflict', label: { en: 'Conflict', fr: 'Conflit' } },
    { value: 'not_clearable', label: { en: 'Cannot be empty', fr: 'Ne peut pas être vide' } },
  ],
  JobSort: [
    { value: 'public_id', label: { en: 'By public id', fr: 'Par identifiant public' } },
    { value: 'updated_at_desc', label: { en: 'Latest change first', fr: 'Dernière modification d’abord' } },
    { value: 'published_at_desc', label: { en: 'Last published first', fr: 'Dernière publication d’abord' } },
    { value: 'expires_at_asc', label: { en: 'First to expire first', fr: 'Première fin d’abord' } },
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
  QuotaName: [
    { value: 'updateJob', label: { en: 'Job updates', fr: 'Modifications d’offres' } },
    { value: 'mutation', label: { en: 'Other changes', fr: 'Autres modifications' } },
    { value: 'read', label: { en: 'Reads', fr: 'Lectures' } },
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
  Scope: [
    { value: 'r_jobs', label: { en: 'Read jobs', fr: 'Lire les offres' } },
    { value: 'r_w_jobs', label: { en: 'Read and update jobs', fr: 'Lire et modifier les offres' } },
    { value: 'r_companies', label: { en: 'Read companies', fr: 'Lire les entreprises' } },
    {
      value: 'r_w_companies',
      label: { en: 'Read and update companies', fr: 'Lire et modifier les entreprises' },
    },
  ],
  Transport: [
    { value: 'graphql', label: { en: 'GraphQL API', fr: 'API GraphQL' } },
    { value: 'rest', label: { en: 'REST API', fr: 'API REST' } },
    { value: 'task', label: { en: 'Scheduled task', fr: 'Tâche planifiée' } },
    { value: 'import', label: { en: 'Operator’s command', fr: 'Commande d’un opérateur' } },
  ],
  UnauthorizedReason: [
    { value: 'token_missing', label: { en: 'the request has no token', fr: 'la requête n’a pas de jeton' } },
    { value: 'token_invalid', label: { en: 'the token is not valid', fr: 'le jeton n’est pas valide' } },
    { value: 'token_expired', label: { en: 'the token has expired', fr: 'le jeton a expiré' } },
    { value: 'scope_missing', label: { en: 'the token lacks the scope', fr: 'il manque au jeton le scope' } },
    {
      value: 'role_missing',
      label: {
        en: 'the token has none of the roles that may do this',
        fr: 'aucun rôle du jeton ne permet cela',
      },
    },
    {
      value: 'out_of_reach',
      label: {
        en: 'there is no such media or record, or it is out of reach of the token',
        fr: 'ce média ou cet enregistrement n’existe pas, ou le jeton n’y donne pas accès',
      },
    },
  ],
  WarningCode: [
    {
      value: 'name_immutable',
      label: {
        en: 'The name of a job cannot be changed; the new name was not applied.',
        fr: 'Le nom d’une offre ne peut pas être modifié ; le nouveau nom n’a pas été appliqué.',
      },
    },
    {
      value: 'identifier_not_applied',
      label: {
        en: 'This value was only used to find the company; the stored spelling was kept.',
        fr: 'Cette valeur a seulement servi à trouver l’entreprise ; la graphie enregistrée a été conservée.',
      },
    },
    {
      value: 'html_cleaned',
      label: {
        en: 'Some of the HTML is not allowed and was removed.',
        fr: 'Une partie du HTML n’est pas autorisée et a été retirée.',
      },
    },
    {
      value: 'text_escaped',
      label: {
        en: 'A < or & was not markup; it was kept as text and escaped in the HTML.',
        fr: 'Un < ou un & n’était pas du balisage ; il a été conservé comme texte et échappé dans le HTML.',
      },
    },
    {
      value: 'logo_url_ignored',
      label: {
        en: 'A logo file was sent too; the URL was not applied.',
        fr: 'Un fichier de logo a aussi été envoyé ; l’URL n’a pas été appliquée.',
      },
    },
    {
      value: 'logo_animation_removed',
      label: {
        en: 'The logo is animated; only its first frame was kept.',
        fr: 'Le logo est animé ; seule sa première image a été conservée.',
      },
    },
    {
      value: 'location_unresolved',
      label: {
        en: 'The place was not recognised; its text was stored as the city.',
        fr: 'Le lieu n’a pas été reconnu ; son texte a été enregistré comme ville.',
      },
    },
    {
      value: 'unknown_field',
      label: {
        en: 'This field is not known here and was ignored.',
        fr: 'Ce champ n’est pas connu à cet endroit et a été ignoré.',
      },
    },
  ],
} as const;
