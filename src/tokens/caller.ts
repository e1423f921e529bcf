import { visibleText } from '../text/invisible.rules.js';
import { systemActor } from '../history/history-entry.js';
import { type Role, type Scope } from '../operations.js';

/** True if a person would read the name as `system`. */
export const readsAsSystem = (name: string): boolean =>
  visibleText(name).trim().toLowerCase() === systemActor;

/** Read from a verified token. */
export interface Caller {
  /** The token's `sub`. */
  subject: string;
  /** Only known roles and scopes. */
  roles: ReadonlySet<Role>;
  scopes: ReadonlySet<Scope>;
  /** Public ids; undefined without a `media` claim. */
  media: ReadonlySet<string> | undefined;
  /** Public id. */
  brand: string | undefined;
  expiresAt: Date;
}

/**
 * The token claims that give the caller its authority. If a claim changes, a repeated call counts as a new call and is checked again.
 * Null marks claims that can differ without changing the authority.
 */
export function authorityOf({ subject, roles, media, brand }: Caller): string[] {
  const claims: Record<keyof Caller, string | null> = {
    subject,
    roles: [...roles].sort().join(),
    // The permission rules have checked the scope.
    scopes: null,
    media: media ? [...media].sort().join() : '*',
    brand: brand ?? '',
    expiresAt: null,
  };
  return Object.values(claims).filter((claim) => claim !== null);
}
