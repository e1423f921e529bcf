/** The result of {@link readInstantOrDate}. */
export const instantOrDate = {
  en: 'Enter a date such as 2026-03-31, or a time with its UTC offset such as 2026-03-31T10:20:30Z.',
  fr: 'Saisissez une date, comme 2026-03-31, ou une heure avec son décalage UTC, comme 2026-03-31T10:20:30Z.',
};

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;
const dayMs = 86_400_000;

/** The first and last instant that a text can mean: of a date alone, the whole UTC day. */
export interface Instants {
  first: Date;
  last: Date;
}

/** ISO 8601 with a UTC offset, on a valid calendar day, cut to milliseconds. Undefined for any other text. */
function readInstant(text: string): Date | undefined {
  // T and Z may be lower case (RFC 3339, 5.6).
  const upperCase = text.toUpperCase();
  const date = new Date(upperCase);
  const isReal = instantPattern.test(upperCase) && !Number.isNaN(date.getTime()) && isOnCalendar(upperCase);
  // Years before 1 are invalid, even if only the UTC offset leads there.
  return isReal && date.getUTCFullYear() >= 1 ? date : undefined;
}

export function readInstantOrDate(text: string): Instants | undefined {
  const first = readInstant(datePattern.test(text) ? `${text}T00:00Z` : text);
  return first && { first, last: datePattern.test(text) ? new Date(first.getTime() + dayMs - 1) : first };
}

/** `Date` turns 31 February into a day in March, and 24:00 into the next day. */
function isOnCalendar(written: string): boolean {
  const minute = written.slice(0, 'YYYY-MM-DDThh:mm'.length);
  return new Date(`${minute}Z`).toISOString().startsWith(minute);
}
