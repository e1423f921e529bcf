/** The maximum length of a public id, in code points. */
export const longestPublicId = 150;
