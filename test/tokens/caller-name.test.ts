import { describe, expect, it } from '@jest/globals';
import { callerKey, callerName } from '../../src/tokens/caller-name.js';
import { databaseOf } from '../../src/database/connect.js';
import { openTestDatabase } from '../support/database.js';

describe('the name of a caller in the log (Contract 9.3.7)', () => {
  it('has one key of 32 bytes per database, also if processes ask for it at once', async () => {
    const opened = await openTestDatabase();
    const database = databaseOf(opened.connection);
    const keys = await Promise.all(Array.from({ length: 8 }, () => callerKey(database)));
    expect(new Set([...keys, await callerKey(database)])).toEqual(new Set([keys[0]]));
    expect(keys[0]).toMatch(/^[\da-f]{64}$/);
    await opened.close();
    await expect(callerKey(database)).rejects.toThrow();
  });

  it('has 12 hex digits that change with the key and the subject', () => {
    const names = ['00', '01'].flatMap((key) => ['a', 'b'].map((subject) => callerName(key, subject)));
    expect(new Set(names.filter((name) => /^[\da-f]{12}$/.test(name))).size).toBe(4);
  });
});
