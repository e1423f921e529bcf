// Emitted from the tables of the gateway by npm run emit.
export const formats = {
  description: 'html',
  logoUrl: 'url',
  expiresAt: 'date',
  descriptionCompany: 'html',
  descriptionJob: 'html',
  descriptionProfile: 'html',
  descriptionBenefits: 'html',
  descriptionProcess: 'html',
  applicationUrl: 'url',
  managerEmails: 'email',
  recruiterEmails: 'email',
  'salaryRange.minimum': 'decimal',
  'salaryRange.maximum': 'decimal',
} as const;
export const moves = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
} as const;
export const allowedTags = [
  'p',
  'ul',
  'ol',
  'li',
  'h2',
  'h3',
  'h4',
  'br',
  'b',
  'strong',
  'i',
  'em',
  'u',
  'a',
] as const;
