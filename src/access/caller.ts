import { visibleText } from '../content/visible-text.js';
import { type Role, type Scope } from '../operations.js';

/** The actor that the history names for the gateway's own changes (Contract 10.2.1). No token may have this subject. */
export const systemActor = 'system';

/** Whether a name reads as the gateway's own in history, in whatever case and with characters that nobody sees. */
export const readsAsSystem = (name: string): boolean =>
  visibleText(name).trim().toLowerCase() === systemActor;

/** The caller, as its verified token describes it (Contract 5.4). */
export interface Caller {
  /** The token's `sub`: the owner of a quota and of what it created. */
  subject: string;
  /** Roles and scopes that the gateway does not know are left out: they grant nothing. */
  roles: ReadonlySet<Role>;
  scopes: ReadonlySet<Scope>;
  /** Public ids of the media that it may act in; undefined when the token has no `media` claim. */
  media: ReadonlySet<string> | undefined;
  /** Public id of the brand that a brand_admin acts for. */
  brand: string | undefined;
  /** When the token ends. */
  expiresAt: Date;
}
