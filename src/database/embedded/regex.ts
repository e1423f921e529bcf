import { notSupported, StoreError } from './store-error.js';

/**
 * A regular expression that answers as MongoDB's would.
 * @param flags of MongoDB: i, m, s and u; x (free spacing) has no counterpart and is refused
 * @throws StoreError Location51091 for an expression that cannot be read, Location51108 for an unknown flag
 */
export function compileRegex(source: string, flags: string): RegExp {
  if (flags.includes('x')) throw notSupported('The regular expression option x');
  if (/[^imsug]/.test(flags))
    throw new StoreError('Location51108', `invalid flag in regex options: ${flags}`);
  try {
    // A global expression would remember where its last match ended.
    return new RegExp(source, flags.replace(/[gu]/g, ''));
  } catch (error) {
    throw new StoreError('Location51091', `Regular expression is invalid: ${(error as Error).message}`);
  }
}
