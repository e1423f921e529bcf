import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

test('graphql-shield still imports isUndefined from util: if this fails, import it in src/permissions/permissions.ts as an ES module and delete this test', () => {
  const folder = join(createRequire(import.meta.url).resolve('graphql-shield'), '../..');
  const rules = readFileSync(join(folder, 'esm/rules.js'), 'utf8');
  expect(rules).toMatch(/import \{ isUndefined \} from 'util'/);
});
