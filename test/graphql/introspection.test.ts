import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestGateway } from '../support/gateway.js';
import { graphql } from '../support/requests.js';

let folder: string;
let keyFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  keyFile = join(folder, 'keys.json');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  await writeFile(keyFile, JSON.stringify({ keys: [await exportJWK(privateKey)] }));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a gateway with this environment says of its own schema, and of a field that comes near one of it. */
async function ask(environment: Record<string, string>): Promise<{ isShown: boolean; hint: string }> {
  const gateway = await startTestGateway(environment);
  try {
    const { body } = await graphql(gateway, '{ __schema { queryType { name } } }');
    const { body: near } = await graphql(gateway, '{ viewr { subject } }');
    return { isShown: Boolean(body.data?.__schema), hint: near.errors?.[0]?.message ?? '' };
  } finally {
    await gateway.stop();
  }
}

describe('introspection', () => {
  it.each([
    ['test', undefined, true],
    ['test', 'off', false],
    ['production', undefined, false],
    ['production', 'on', true],
  ])('with NODE_ENV=%s and INTROSPECTION=%s is open: %s (Contract 8.4.6)', async (mode, setting, isOpen) => {
    const { isShown, hint } = await ask({
      NODE_ENV: mode,
      JWT_KEY_FILE: keyFile,
      ...(setting && { INTROSPECTION: setting }),
    });
    expect(isShown).toBe(isOpen);
    // Suggestions would tell the schema one guess at a time.
    if (mode === 'production') expect(hint).not.toContain('viewer');
  });
});
