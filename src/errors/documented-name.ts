/** A field of a GraphQL input as REST documents it: `mediaPublicId` is `media_public_id`. */
export const documentedName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
