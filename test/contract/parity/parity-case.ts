import { type ErrorCode } from '../../../src/errors/catalogue.js';
import { type Api, type UpdateRequest } from '../../support/apis.js';
import { type TokenFactory } from '../../support/tokens.js';

/** A request and its outcome, which is the same over every API. */
export interface ParityCase extends Pick<
  UpdateRequest,
  'operation' | 'form' | 'job' | 'companyInQuery' | 'expectedVersion'
> {
  /** Ends with the contract statements that the case proves. */
  title: string;
  /** By documented name, in addition to the usual identifiers; undefined removes an identifier. */
  fields: Record<string, unknown>;
  /** Changes to the demo record before the request, by dotted path. */
  before?: Record<string, unknown>;
  /** Changes to the usual claims; null sends no token. */
  claims?: Parameters<TokenFactory>[0] | null;
  /** Changes by the request, by dotted path. Default: none. */
  stored?: Record<string, unknown>;
  /** Added versions. Default: 1 if something is stored, otherwise 0. */
  versions?: number;
  /** Every warning, as `field: code`. */
  warnings?: readonly string[];
  refused?: ErrorCode;
  /** The code of every field fault. */
  faults?: readonly string[];
  /** Whether GraphQL refuses the request because a value does not match its type. */
  isRefusedByTypes?: boolean;
  /** Default: all. */
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

/** Each code point has two UTF-16 units. */
export const astral = (codePoints: number): string => '😀'.repeat(codePoints);
