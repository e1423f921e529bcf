import { type ErrorCode } from '../../../src/errors/catalogue.js';
import { type Api, type UpdateRequest } from '../../support/apis.js';
import { type TokenFactory } from '../../support/tokens.js';

/** One request and what must come of it, through whichever API it is sent. */
export interface ParityCase extends Pick<
  UpdateRequest,
  'operation' | 'form' | 'job' | 'companyInQuery' | 'expectedVersion'
> {
  /** A fact, with the statement of the contract that it proves. */
  title: string;
  /** Documented request fields besides the usual identifiers; undefined takes an identifier away. */
  fields: Record<string, unknown>;
  /** How the record differs from the demo's before the request, by dotted path. */
  before?: Record<string, unknown>;
  /** What the token says differently; null sends none. */
  claims?: Parameters<TokenFactory>[0] | null;
  /** What differs in the record after, by dotted path; nothing where it is absent. */
  stored?: Record<string, unknown>;
  /** How many versions the update makes; one where something is stored. */
  versions?: number;
  /** `field: code` of every warning. */
  warnings?: readonly string[];
  refused?: ErrorCode;
  /** Code of every field fault of a refusal as validation-failed. */
  faults?: readonly string[];
  /** Whether GraphQL's own types refuse it, before any code of ours is asked. */
  isRefusedByTypes?: boolean;
  /** Where not every API can say it. */
  apis?: readonly Api[];
}

type Outcome = Omit<ParityCase, 'operation' | 'title'>;

export const jobCase = (title: string, outcome: Outcome): ParityCase => ({
  operation: 'updateJob',
  title,
  ...outcome,
});

export const companyCase = (title: string, outcome: Outcome): ParityCase => ({
  operation: 'updateCompany',
  title,
  ...outcome,
});

export const invalid = (...faults: string[]) => ({ refused: 'validation-failed' as const, faults });

/** A text of so many code points, each of which is two units of UTF-16. */
export const astral = (codePoints: number): string => '😀'.repeat(codePoints);
