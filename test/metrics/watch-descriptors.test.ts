import { expect, it, jest } from '@jest/globals';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { watchDescriptors } from '../../src/metrics/watch-descriptors.js';
import { logInMemory } from '../support/log-in-memory.js';
import { until } from '../support/until.js';

it('the log says once that file descriptors run out, and again only if fewer were in use in between (Contract 11.5.3)', async () => {
  const { log, lines, parsed } = logInMemory();
  const limit = Math.ceil(1.5 * (await readdir('/proc/self/fd')).length) + 50;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'Date'] });
  const stop = watchDescriptors(log, Promise.resolve(limit));
  const handles: FileHandle[] = [];
  for (let time = 1; time <= 2; time += 1) {
    while (handles.length < limit) handles.push(await open(devNull));
    await until(() => {
      jest.advanceTimersByTime(10_000);
      return lines.length === time;
    });
    for (const handle of handles.splice(0)) await handle.close();
    for (let look = 0; look < 3; look += 1) {
      jest.advanceTimersByTime(10_000);
      await readdir('/proc/self/fd');
    }
  }
  stop();
  jest.useRealTimers();
  expect(parsed()).toMatchObject(Array(2).fill({ level: 50, limit, open: expect.any(Number) }));
});
