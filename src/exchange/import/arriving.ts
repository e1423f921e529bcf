import { type Office } from '../../company/company.model.js';
import { type ReferenceRecord } from '../../reference/reference.model.js';
import { KeySet } from './key-set.js';

/**
 * What the good lines of a file bring, for those that need it while nothing is written yet. Of companies, which may be
 * many, only those with offices take more than a few bytes.
 */
export class Arriving {
  readonly media = new Set<string>();
  readonly references: ReferenceRecord[] = [];
  readonly companies = new KeySet();
  readonly offices = new Map<string, readonly Office[]>();
  /** Names, domains and ids, each prefixed with what it is: none may come twice. */
  readonly identities = new KeySet();
}
