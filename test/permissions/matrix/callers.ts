import { type Role } from '../../../src/operations.js';
import { type TokenClaims } from '../../../src/tokens/token-signer.js';
import { type TestGateway } from '../../support/gateway.js';
import { badTokens } from '../../support/tokens.js';

/** The outcome for a caller who has passed every check before the check of reach. */
export type Reach = 'done' | 'refused' | 'absent';

const holders = {
  mediaAdmin: { roles: ['media_admin'], media: ['demo-media'] },
  mediaPartner: { roles: ['media_partner'], media: ['demo-media'] },
  brandAdmin: { roles: ['brand_admin'], media: ['demo-media'], brand: 'acme-group' },
  brandAdminAnywhere: { roles: ['brand_admin'], media: undefined, brand: 'acme-group' },
  brandAdminNowhere: { roles: ['brand_admin'], media: [], brand: 'acme-group' },
  brandAdminWithoutBrand: { roles: ['brand_admin'], media: ['demo-media'] },
  mediaAdminWithoutMedia: { roles: ['media_admin'], media: undefined },
  noRole: { roles: [], media: ['demo-media'], brand: 'acme-group' },
  unknownRole: { roles: ['admin'], media: ['demo-media'], brand: 'acme-group' },
  partnerAndBrandAdmin: {
    roles: ['media_partner', 'brand_admin'],
    media: ['demo-media'],
    brand: 'acme-group',
  },
} satisfies Record<string, Partial<TokenClaims>>;
export type Holder = keyof typeof holders;

export const holderOf: Record<Role, Holder> = {
  media_admin: 'mediaAdmin',
  media_partner: 'mediaPartner',
  brand_admin: 'brandAdmin',
};

export const scopeSets = {
  noScope: '',
  read: 'r_jobs r_companies',
  write: 'r_w_jobs r_w_companies',
  writeJobsOnly: 'r_w_jobs',
  writeCompaniesOnly: 'r_w_companies',
};
type ScopeSet = keyof typeof scopeSets;

export interface Credential {
  name: string;
  token: string | undefined;
  /** Undefined for a missing or invalid token. */
  holder?: Holder;
  scopeSet?: ScopeSet;
}

export async function allCredentials({ settings, token }: TestGateway): Promise<Credential[]> {
  const bad = await badTokens(settings);
  const good = Object.entries(holders).flatMap(([holder, claims]) =>
    Object.entries(scopeSets).map(async ([scopeSet, scope]) => ({
      name: `${holder}, ${scopeSet}`,
      token: await token({ ...claims, scope }),
      holder: holder as Holder,
      scopeSet: scopeSet as ScopeSet,
    })),
  );
  return [
    { name: 'noToken', token: undefined },
    ...Object.entries(bad).map(([name, badToken]) => ({ name, token: badToken })),
    ...(await Promise.all(good)),
  ];
}
