import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The gateway process imports this file before it starts: only code inside the process can collect garbage and
// then read the memory in use.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('message', () => {
  collectGarbage();
  process.send(process.memoryUsage());
});
