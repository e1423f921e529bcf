import { type WarningType } from '../content/warning.types.js';
import { documentedName } from '../errors/documented-name.js';

/** Warnings by documented field names. Without any there is no key (Contract 7.5.1). */
export const documentedWarnings = (warnings: readonly WarningType[] | null): { warnings?: WarningType[] } =>
  warnings ? { warnings: warnings.map((warning) => ({ ...warning, field: fieldOf(warning) })) } : {};

/** An unknown field has the name that the caller gave it. */
const fieldOf = ({ code, field }: WarningType): string =>
  code === 'unknown-field' ? field : documentedName(field);
