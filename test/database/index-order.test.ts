import { expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { SentCommands } from '../support/sent-commands.js';

it('a start creates the quota indexes after all other indexes', async () => {
  const sent = new SentCommands();
  const gateway = await startTestGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing });
  await gateway.stop();
  const made = sent.names.filter((name) => name.startsWith('createIndexes '));
  expect(new Set(made).size).toBeGreaterThan(4);
  expect(made.at(-1)).toBe('createIndexes quotas');
  expect(made.filter((name) => name === 'createIndexes quotas')).toHaveLength(1);
});
