/** An unknown `addressNbr` or `address` is null; any other unknown part is "". */
export interface Location {
  readonly addressNbr: string | null;
  readonly address: string | null;
  readonly city: string;
  readonly department: string;
  readonly region: string;
  /** Five digits in France. */
  readonly zipCode: string;
  /** ISO 3166-1 alpha-3, or XKK for Kosovo, which has no official code. */
  readonly countryCode: string;
}

export const emptyLocation: Location = Object.freeze({
  addressNbr: null,
  address: null,
  city: '',
  department: '',
  region: '',
  zipCode: '',
  countryCode: '',
});

/** If `isResolved` is false, not even the country is known, and the caller gets a warning. */
export type ResolveLocation = (localisation: string) => { location: Location; isResolved: boolean };

/** An absent, null or empty part becomes unknown. */
export const locationOf = (parts: object): Location => ({
  ...emptyLocation,
  ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part)),
});
