import { jest } from '@jest/globals';

// On a shared machine a neighbour's load now and then outlasts a bound. What is wrong fails twice; the log shows both.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
