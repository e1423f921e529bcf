/** `mediaPublicId` for `media_public_id`. */
export const inputName = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts documented request fields to a GraphQL input, where the pay range is nested. */
export function inputOfFields(fields: object): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const part = /^salary_(minimum|maximum|currency|period)$/.exec(name)?.[1];
    if (part) input.salaryRange = { ...(input.salaryRange as object), [part]: value as unknown };
    else input[inputName(name)] = value;
  }
  return input;
}
