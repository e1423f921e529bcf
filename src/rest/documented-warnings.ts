import { documentedName } from '../errors/documented-name.js';

interface PayloadWarning {
  code: string;
  field: string;
  message: string;
}

/** Warnings by documented field names. Without any there is no key (Contract 7.5.1). */
export const documentedWarnings = (
  warnings: readonly PayloadWarning[] | null,
): { warnings?: PayloadWarning[] } =>
  warnings ? { warnings: warnings.map((warning) => ({ ...warning, field: fieldOf(warning) })) } : {};

/** An unknown field has the name that the caller gave it. */
const fieldOf = ({ code, field }: PayloadWarning): string =>
  code === 'unknown-field' ? field : documentedName(field);
