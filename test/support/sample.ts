/**
 * How many random inputs a property is tried with: a fixed tenth in `npm test`, all of them, each time others, in
 * `FUZZ_REQUESTS=… npm run test:long`.
 */
export const sample = (numRuns: number): { numRuns: number; seed?: number } =>
  process.env.FUZZ_REQUESTS ? { numRuns } : { seed: 20_261_130, numRuns: Math.ceil(numRuns / 10) };
