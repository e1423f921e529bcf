import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { demoData } from '../../src/demo/demo-data.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { type Door, send } from '../support/doors.js';

const racers = 50;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.token();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await gateway.reset();
  const acme = demoData(new Date()).companies.find(({ publicId }) => publicId === 'acme');
  await gateway.models.companies.collection.insertMany(
    Array.from({ length: racers }, (_, index) => ({
      ...acme,
      _id: new Types.ObjectId(),
      publicId: `racer-${index}`,
      name: `Racer ${index}`,
      nameKey: `racer ${index}`,
      domainUrl: `racer-${index}.example`,
      domainKey: `racer-${index}.example`,
    })),
  );
});

/** Every racer asks at once, through one door or the other. */
const race = (fieldsOf: (index: number) => Record<string, string>) =>
  Promise.all(
    Array.from({ length: racers }, (_, index) => {
      const door: Door = index % 2 === 0 ? 'json' : 'graphql';
      const fields = {
        media_public_id: 'demo-media',
        company_public_id: `racer-${index}`,
        ...fieldsOf(index),
      };
      return send(gateway, door, { operation: 'updateCompany', fields, token });
    }),
  );

const codesOf = (answers: readonly { code: string | null }[]) => answers.map(({ code }) => code).sort();
const oneWins = ['company-already-existed', null].flatMap((code) =>
  Array<string | null>(code === null ? 1 : racers - 1).fill(code),
);

describe('50 companies that take one name at once', () => {
  it('are one winner and 49 that hear company-already-existed, by the unique index (Contract 4.1.6.4)', async () => {
    // Spelled differently, compared alike.
    const answers = await race((index) => ({ name: index % 3 === 0 ? 'The Éclair' : 'the  eclair' }));
    expect(codesOf(answers)).toEqual(oneWins);
    const holders = await gateway.models.companies.find({ nameKey: 'the eclair' }).lean();
    expect(holders).toHaveLength(1);
    expect(holders[0]?.version).toBe(2);
    const [winner] = answers.filter(({ code }) => code === null);
    expect(winner?.shown).toMatchObject({ public_id: holders[0]?.publicId, name: holders[0]?.name });
  });

  it('leave nothing of themselves where they lost (Contract 4.1.6.4)', async () => {
    await race((index) => ({ name: 'The One', description: `Of racer ${index}.` }));
    const losers = await gateway.models.companies
      .find({ publicId: /^racer-/, nameKey: { $ne: 'the one' } })
      .lean();
    expect(losers).toHaveLength(racers - 1);
    expect(
      losers.every(({ version, description, pendingHistory }) => {
        return version === 1 && !description?.startsWith('Of racer') && pendingHistory.length === 0;
      }),
    ).toBe(true);
  });
});

describe('50 companies that take one domain at once', () => {
  it('are one winner and 49 that hear company-already-existed (Contract 4.1.6.3, 4.1.6.4)', async () => {
    const answers = await race((index) => ({
      domain_url: index % 2 ? 'https://www.one.example/' : 'ONE.example',
    }));
    expect(codesOf(answers)).toEqual(oneWins);
    expect(await gateway.models.companies.countDocuments({ domainKey: 'one.example' })).toBe(1);
  });
});

describe('50 updates that give one company 50 names at once', () => {
  it('are all taken, one after the other, each a version of its own (Contract 9.2)', async () => {
    const answers = await Promise.all(
      Array.from({ length: racers }, (_, index) =>
        send(gateway, 'form', {
          operation: 'updateCompany',
          fields: { media_public_id: 'demo-media', company_public_id: 'racer-0', name: `Name ${index}` },
          token,
        }),
      ),
    );
    const taken = answers.filter(({ code }) => code === null).length;
    // Whoever keeps losing is told 503 after a bounded number of tries, never 412.
    expect(codesOf(answers).filter((code) => code !== null && code !== 'service-unavailable')).toEqual([]);
    const stored = await gateway.models.companies.findOne({ publicId: 'racer-0' }).lean();
    expect(stored?.version).toBe(1 + taken);
    expect(taken).toBeGreaterThan(0);
  });
});

describe('a company that exists already', () => {
  it('is told with the support text and nothing else, the same for any company (Contract 4.1.5.6)', async () => {
    const ask = (fields: Record<string, string>) =>
      send(gateway, 'json', {
        operation: 'updateCompany',
        fields: { media_public_id: 'demo-media', ...fields },
        token,
      });
    const answers = [
      await ask({ name: 'Initech' }),
      await ask({ domain_url: 'initech.example' }),
      await ask({ company_public_id: 'acme', name: 'Globex' }),
      await ask({ company_public_id: 'acme', domain_url: 'initech.example' }),
    ];
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 409,
        code: 'company-already-existed',
        message: 'This company already exists. Please contact support to have it added.',
        faults: [],
        warnings: [],
        shown: undefined,
      });
    }
  });
});
