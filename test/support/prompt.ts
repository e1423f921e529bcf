/** What is promised within a second, in milliseconds. */
export const promptMs = 1_000;
