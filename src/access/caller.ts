import { visibleText } from '../content/visible-text.js';
import { type Role, type Scope } from '../operations.js';

/** The actor of the gateway's own changes in the history (Contract 10.2.1). No token may have this subject. */
export const systemActor = 'system';

/** True if a person would read the name as `system`. Ignores case, outer spaces and invisible characters. */
export const readsAsSystem = (name: string): boolean =>
  visibleText(name).trim().toLowerCase() === systemActor;

/** A caller, read from its verified token (Contract 5.4). */
export interface Caller {
  /** The token's `sub`. Quotas are counted per subject, and a record stores its creator's subject. */
  subject: string;
  /** Only roles and scopes that the gateway knows. Others grant nothing. */
  roles: ReadonlySet<Role>;
  scopes: ReadonlySet<Scope>;
  /** Public ids of the media that the caller may act in; undefined when the token has no `media` claim. */
  media: ReadonlySet<string> | undefined;
  /** Public id of the brand that a brand_admin acts for. */
  brand: string | undefined;
  expiresAt: Date;
}
