/**
 * What is promised within a second is held to this bound: a loaded machine is slow, but whoever waits for a sender, for a
 * time-out or for something quadratic takes longer still.
 */
export const promptMs = 5_000;
