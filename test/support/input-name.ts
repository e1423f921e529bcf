/** A documented request field as the inputs of GraphQL spell it: `media_public_id` is `mediaPublicId`. */
export const inputName = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
