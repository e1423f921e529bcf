/** `mediaPublicId` for `media_public_id`. */
export const inputName = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Converts documented request fields to a GraphQL input, where the pay range is nested and null if all its parts are empty, and sectors are
 * a list.
 */
export function inputOfFields(fields: object): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const part = /^salary_(minimum|maximum|currency|period)$/.exec(name)?.[1];
    if (part) input.salaryRange = { ...(input.salaryRange as object), [part]: value as unknown };
    else if (name === 'sector_id') input.sectorIds = typeof value === 'string' ? listOf(value) : value;
    else input[inputName(name)] = value;
  }
  const isEmpty = (part: unknown) => part === null || (typeof part === 'string' && part.trim() === '');
  if (Object.values(input.salaryRange ?? { none: true }).every(isEmpty)) input.salaryRange = null;
  return input;
}

const listOf = (ids: string): string[] => {
  const all = ids.split(';').filter((id) => id.trim() !== '');
  return all.length > 0 ? all : [ids];
};
