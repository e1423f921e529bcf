/** The most code points that a public id has. */
export const longestPublicId = 150;
