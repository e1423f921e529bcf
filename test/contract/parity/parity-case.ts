import { type ErrorCode } from '../../../src/errors/catalogue.js';
import { type Api, type UpdateRequest } from '../../support/apis.js';
import { type TokenFactory } from '../../support/tokens.js';

/** One request and its outcome, through whichever API it is sent. */
export interface ParityCase extends Pick<
  UpdateRequest,
  'operation' | 'form' | 'job' | 'companyInQuery' | 'expectedVersion'
> {
  /** A title, with the statement of the contract that it proves. */
  title: string;
  /** Documented request fields in addition to the usual identifiers; undefined removes an identifier. */
  fields: Record<string, unknown>;
  /** How the record differs from the demo's before the request, by dotted path. */
  before?: Record<string, unknown>;
  /** How the token's claims differ; null sends no token. */
  claims?: Parameters<TokenFactory>[0] | null;
  /** How the record differs after the request, by dotted path; if absent, nothing changes. */
  stored?: Record<string, unknown>;
  /** How many versions the update makes; by default one if something is stored. */
  versions?: number;
  /** `field: code` of every warning. */
  warnings?: readonly string[];
  refused?: ErrorCode;
  /** Code of every field fault if the request is refused as validation-failed. */
  faults?: readonly string[];
  /** Whether GraphQL's own types refuse the request, so that no code of ours runs. */
  isRefusedByTypes?: boolean;
  /** The APIs that can send the case, if not all of them can. */
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

/** A text of `count` code points, each with two UTF-16 units. */
export const astral = (codePoints: number): string => '😀'.repeat(codePoints);
