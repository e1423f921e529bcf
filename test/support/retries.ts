import { jest } from '@jest/globals';

// On a busy machine, a test sometimes exceeds a time limit. A real failure fails twice.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
