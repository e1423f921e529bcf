import { jest } from '@jest/globals';

// On a busy shared machine, a test sometimes exceeds a time limit. A real failure fails twice, and the log shows
// both failures.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
