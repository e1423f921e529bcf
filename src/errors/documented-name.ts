/** A field of a GraphQL input as REST documents it: `mediaPublicId` is `media_public_id`. */
export const documentedName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The path of a route as it is documented: `/jobs/:jobPublicId` is `/jobs/{job_public_id}`. */
export const documentedPath = (route: string): string =>
  route.replace(/:(\w+)/g, (_, name: string) => `{${documentedName(name)}}`);
