import { jest } from '@jest/globals';

// On a shared machine, load sometimes exceeds a time limit. A real failure fails twice, and the log shows
// both.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
