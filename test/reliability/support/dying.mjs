import { createRequire } from 'node:module';

// Loaded before a gateway or a command: kills its process just before or just after one of its writes. DIE_AT counts these moments from 1,
// two for each write of the collections in DIE_OF.
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
const { DIE_AT, DIE_OF } = process.env;
const collections = new Set(DIE_OF.split(' '));
const writes = ['insert', 'update', 'delete', 'findAndModify'];
const { command } = Connection.prototype;

let moment = 0;
const pass = () => {
  moment += 1;
  if (moment === Number(DIE_AT)) process.kill(process.pid, 'SIGKILL');
};

Connection.prototype.command = async function (...given) {
  const isWrite = writes.some((name) => collections.has(given[1][name]));
  if (isWrite) pass();
  const reply = await command.apply(this, given);
  if (isWrite) pass();
  return reply;
};
