export const company = { 'media-public-id': 'demo-media', 'company-public-id': 'acme' } as const;
export const inBody = { media_public_id: 'demo-media', company_public_id: 'acme' } as const;
export const job = 'acme-backend-engineer';
export const pay = {
  salary: '55 000 €',
  salary_minimum: '48000',
  salary_maximum: '60000',
  salary_currency: 'EUR',
  salary_period: 'year',
} as const;
export const list: { 'media-public-id': string; state: ('draft' | 'published')[] } = {
  'media-public-id': 'demo-media',
  state: ['draft', 'published'],
};
