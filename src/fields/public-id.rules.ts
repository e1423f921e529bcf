/** In code points. */
export const longestPublicId = 150;
