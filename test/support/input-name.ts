/** A documented request field as the inputs of GraphQL spell it: `media_public_id` is `mediaPublicId`. */
export const inputName = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Documented request fields as an input of GraphQL: it nests the parts of a pay range, which REST spells flat. */
export function inputOfFields(fields: object): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const part = /^salary_(minimum|maximum|currency|period)$/.exec(name)?.[1];
    if (part) input.salaryRange = { ...(input.salaryRange as object), [part]: value as unknown };
    else input[inputName(name)] = value;
  }
  return input;
}
