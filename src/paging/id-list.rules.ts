import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import { largestPage } from './page.js';

type Ids = readonly string[] | null | undefined;

const unit = { en: 'ids', fr: 'identifiants' };

/** The ids of a filter, once each and without spaces around them. Undefined if the filter has none. */
export const distinctIds = (ids: Ids): string[] | undefined =>
  ids ? [...new Set(ids.map((id) => id.trim()))] : undefined;

/** @param lists by the name of one id, such as `publicId`: the list has the plural */
export const tooManyIds = (lists: Readonly<Record<string, Ids>>): FieldFault[] =>
  Object.entries(lists).flatMap(([name, ids]) =>
    ids && ids.length > largestPage
      ? [onArgument({ ...fieldFault.tooMany(name, largestPage, unit), path: ['filter', `${name}s`] })]
      : [],
  );
