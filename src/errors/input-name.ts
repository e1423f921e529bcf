/** A documented request field as the GraphQL inputs spell it: `media_public_id` is `mediaPublicId`. */
export const inputName = (field: string): string =>
  field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The inverse: `mediaPublicId` is `media_public_id`. */
export const documentedName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
