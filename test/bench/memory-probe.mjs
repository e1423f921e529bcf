import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The gateway process imports this file: only code inside the process can collect garbage.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('message', () => {
  collectGarbage();
  process.send(process.memoryUsage());
});
