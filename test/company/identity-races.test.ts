import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { demoData } from '../../src/demo/demo-data.js';
import { ownGateway } from '../support/own-gateway.js';
import { type Api, send } from '../support/apis.js';

const racers = 50;
const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
/** The prefix of the company ids of one test. */
let course = '';
let courses = 0;
beforeEach(async () => {
  course = `course-${(courses += 1)}`;
  const acme = demoData(new Date()).companies.find(({ publicId }) => publicId === 'acme');
  await gateway.models.companies.collection.insertMany(
    Array.from({ length: racers }, (_, index) => ({
      ...acme,
      _id: new Types.ObjectId(),
      publicId: `${course}-${index}`,
      name: `${course} ${index}`,
      nameKey: `${course} ${index}`,
      domainUrl: `${course}-${index}.example`,
      domainKey: `${course}-${index}.example`,
    })),
  );
});

const race = (fieldsOf: (index: number) => Record<string, string>) =>
  Promise.all(
    Array.from({ length: racers }, async (_, index) => {
      const api: Api = index % 2 === 0 ? 'json' : 'graphql';
      const fields = {
        media_public_id: 'demo-media',
        company_public_id: `${course}-${index}`,
        ...fieldsOf(index),
      };
      const ask = () => send(gateway, api, { operation: 'updateCompany', fields, token });
      let answer = await ask();
      for (let patience = 5; answer.code === 'service-unavailable' && patience > 0; patience -= 1) {
        await sleep(1_000);
        answer = await ask();
      }
      return answer;
    }),
  );

const codesOf = (answers: readonly { code: string | null }[]) => answers.map(({ code }) => code).sort();
const oneWins = ['company-already-existed', null].flatMap((code) =>
  Array<string | null>(code === null ? 1 : racers - 1).fill(code),
);

describe('50 companies that ask for the same name at once', () => {
  it('one gets the name, the other 49 get company-already-existed (Contract 5.2.6)', async () => {
    // The two spellings count as the same name.
    const answers = await race((index) => ({ name: index % 3 === 0 ? 'The Éclair' : 'the  eclair' }));
    expect(codesOf(answers)).toEqual(oneWins);
    const holders = await gateway.models.companies.find({ nameKey: 'the eclair' }).lean();
    expect(holders).toHaveLength(1);
    expect(holders[0]?.version).toBe(2);
    const [winner] = answers.filter(({ code }) => code === null);
    expect(winner?.shown).toMatchObject({ public_id: holders[0]?.publicId, name: holders[0]?.name });
  });

  it('the other 49 updates store nothing (Contract 5.2.6)', async () => {
    await race((index) => ({ name: 'The One', description: `Of racer ${index}.` }));
    const losers = await gateway.models.companies
      .find({ publicId: new RegExp(`^${course}-`), nameKey: { $ne: 'the one' } })
      .lean();
    expect(losers).toHaveLength(racers - 1);
    expect(
      losers.every(({ version, description, pendingHistory }) => {
        return version === 1 && !description?.startsWith('Of racer') && pendingHistory.length === 0;
      }),
    ).toBe(true);
  });
});

describe('50 companies that ask for the same domain at once', () => {
  it('one gets the domain, the other 49 get company-already-existed (Contract 5.2.6)', async () => {
    const answers = await race((index) => ({
      domain_url: index % 2 ? 'https://www.one.example/' : 'ONE.example',
    }));
    expect(codesOf(answers)).toEqual(oneWins);
    expect(await gateway.models.companies.countDocuments({ domainKey: 'one.example' })).toBe(1);
  });
});
