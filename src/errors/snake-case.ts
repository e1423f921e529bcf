/** The REST name of a GraphQL input field: `mediaPublicId` becomes `media_public_id`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The documented path of a route: `/jobs/:jobPublicId` becomes `/jobs/{job_public_id}`. */
export const documentedPath = (route: string): string =>
  route.replace(/:(\w+)/g, (_, name: string) => `{${snakeCase(name)}}`);
