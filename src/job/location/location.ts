/** Where a job is, as stored. Unknown keys are "", except for the two address keys, which are null. */
export interface Location {
  readonly addressNbr: string | null;
  readonly address: string | null;
  readonly city: string;
  readonly department: string;
  readonly region: string;
  /** Five digits in France. */
  readonly zipCode: string;
  /** ISO 3166-1 alpha-3, or XKK for Kosovo, which has none. The name is not stored: it depends on the reader's language. */
  readonly countryCode: string;
}

/** The unknown location. */
export const emptyLocation: Location = Object.freeze({
  addressNbr: null,
  address: null,
  city: '',
  department: '',
  region: '',
  zipCode: '',
  countryCode: '',
});

/** Finds the place that a text names. `isResolved` is false if not even the country is known: a warning then says so. */
export type ResolveLocation = (localisation: string) => { location: Location; isResolved: boolean };

/** The location with these parts. One that is absent, null or empty gets the value that stands for unknown there. */
export const locationOf = (parts: object): Location => ({
  ...emptyLocation,
  ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part)),
});
