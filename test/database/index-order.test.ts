import { expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { SentCommands } from '../support/sent-commands.js';

it('makes the indexes of the quotas, which wait no longer than a request does, once all others are there', async () => {
  const sent = new SentCommands();
  const gateway = await startTestGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing });
  await gateway.stop();
  const made = sent.names.filter((name) => name.startsWith('createIndexes '));
  expect(new Set(made).size).toBeGreaterThan(4);
  expect(made.at(-1)).toBe('createIndexes quotas');
  expect(made.filter((name) => name === 'createIndexes quotas')).toHaveLength(1);
});
