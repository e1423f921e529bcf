import { describe, expect, it } from '@jest/globals';
import {
  isRevoked,
  type Revocation,
  type Target,
  watchRevocations,
  revoke,
} from '../../src/tokens/revocations.js';
import { databaseOf } from '../../src/database/connect.js';
import { openTestDatabase } from '../support/database.js';

const at = new Date('2026-01-01T12:00:00Z');
const issuer = 'https://a.example';
const seconds = at.getTime() / 1_000;
const token = { issuer, subject: 'a:me', tokenId: 'id', issuedAt: seconds - 60 };
const later = new Date(at.getTime() + 60_000);

const listOf = (target: Target, until: Date | null = null) => {
  const entry: Revocation = { ...target, at, until };
  return new Map([[JSON.stringify([target.kind, target.issuer, target.value]), entry]]);
};

describe('a revocation (Contract 3.1.6, 9.1.5)', () => {
  const ofToken: Target = { kind: 'token', value: 'id', issuer };
  it.each([
    [token, true],
    [{ ...token, tokenId: 'other' }, false],
    [{ ...token, tokenId: undefined }, false],
    [{ ...token, issuer: 'https://b.example' }, false],
    [{ ...token, issuedAt: seconds + 3_600 }, true],
  ])('of a token id: %j is cut off: %s', (of, outcome) => {
    expect(isRevoked(listOf(ofToken), of, later)).toBe(outcome);
  });

  const ofSubject: Target = { kind: 'subject', value: 'a:me', issuer: null };
  it.each([
    [token, true],
    [{ ...token, issuer: 'https://b.example', tokenId: undefined }, true],
    [{ ...token, subject: 'me' }, false],
    [{ ...token, issuedAt: undefined }, true],
    [{ ...token, issuedAt: seconds + 30 }, true],
    [{ ...token, issuedAt: seconds + 31 }, false],
  ])('of the tokens of a subject until now: %j is cut off: %s', (of, outcome) => {
    expect(isRevoked(listOf(ofSubject), of, later)).toBe(outcome);
  });

  const block: Target = { kind: 'block', value: 'a:me', issuer: null };
  it.each([
    [token, true],
    [{ ...token, issuedAt: seconds + 86_400 }, true],
    [{ ...token, subject: 'a:you' }, false],
  ])('of a blocked subject: %j is cut off: %s', (of, outcome) => {
    expect(isRevoked(listOf(block), of, later)).toBe(outcome);
  });

  it.each([ofToken, ofSubject, block])('ends when its time is over: %j', (target) => {
    const until = new Date(at.getTime() + 1_000);
    expect(isRevoked(listOf(target, until), token, new Date(until.getTime() - 1))).toBe(true);
    expect(isRevoked(listOf(target, until), token, until)).toBe(false);
  });
});

it('a list of 10 000 revocations is read whole, and takes no more until some are undone or have ended; a revocation replaces an earlier one of the same subject', async () => {
  const database = await openTestDatabase();
  const db = databaseOf(database.connection);
  const entry = (index: number) => ({ kind: 'block', value: `s${index}`, issuer: null }) as const;
  const documents = Array.from({ length: 10_000 }, (_, index) => ({
    _id: JSON.stringify(['block', null, `s${index}`]) as never,
    ...entry(index),
    at,
    until: null,
  }));
  await db.collection('revocations').insertMany(documents);
  const forever = { at, until: null };
  await expect(revoke(db, entry(10_000), forever)).rejects.toThrow(/^The list is full, with 10000/);
  await revoke(db, entry(9_999), { at, until: later });
  const { isRevoked: isCutOff, stop } = await watchRevocations(db, () => undefined);
  stop();
  for (const index of [0, 9_999]) expect(isCutOff({ ...token, subject: `s${index}` }, at)).toBe(true);
  expect(isCutOff({ ...token, subject: 's10000' }, at)).toBe(false);
  await revoke(db, entry(10_000), { at: later, until: null });
  expect(await db.collection('revocations').countDocuments()).toBe(10_000);
  await database.close();
});
