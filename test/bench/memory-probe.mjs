import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Imported into the gateway before it starts: memory in use can be told from memory not collected yet only from inside.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('message', () => {
  collectGarbage();
  process.send(process.memoryUsage());
});
