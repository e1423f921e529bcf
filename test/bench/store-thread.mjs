import { readlinkSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// The measured process imports this file, and so does its only worker thread, the built-in store: the bench must know which thread that is.
if (!isMainThread) writeSync(1, `${JSON.stringify({ storeThread: readlinkSync('/proc/thread-self') })}\n`);
