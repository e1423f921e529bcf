import { type FieldFilter } from '../../paging/field-filter.rules.js';
import { matchesNothing } from '../../paging/query.rules.js';
import { foldedPattern } from '../../text/folded-pattern.rules.js';
import { isoCode } from './country.js';

/** In UTF-16 units: more than the name of any department or region. */
const longestName = 100;

const alpha3 = /^[A-Z]{3}$/;

export const placeFilter: FieldFilter = {
  description:
    'Only jobs in this department or region, by its name, or in this country, by its ISO 3166-1 alpha-3 code. Names are compared without case, accents and ligatures; kinds of space, hyphen and apostrophe are alike.',
  query(text) {
    const place = text.trim();
    if (place.length > longestName) return matchesNothing;
    const pattern = foldedPattern(place);
    if (pattern === null) return {};
    const name = new RegExp(pattern);
    const isCountry = alpha3.test(place) && isoCode(place) !== '';
    return {
      $or: [
        ...[{ 'location.department': name }, { 'location.region': name }],
        ...(isCountry ? [{ 'location.countryCode': place }] : []),
      ],
    };
  },
};
