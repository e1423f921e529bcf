// Re-exported, since every reader of a location also needs the name of its country.
export { countryName } from './country.js';

/** Where a job is, as stored. Keys that are not known are "", the two address keys null. */
export interface Location {
  readonly addressNbr: string | null;
  readonly address: string | null;
  readonly city: string;
  readonly department: string;
  readonly region: string;
  /** Five digits in France. */
  readonly zipCode: string;
  /** ISO 3166-1 alpha-3; its name depends on the reader's language, so it is not stored. */
  readonly countryCode: string;
}

/** The location of which nothing is known. */
export const emptyLocation: Location = Object.freeze({
  addressNbr: null,
  address: null,
  city: '',
  department: '',
  region: '',
  zipCode: '',
  countryCode: '',
});
