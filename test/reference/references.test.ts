import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { collectionOf } from '../../src/database/collection-of.js';
import { ReferenceSnapshot, type ReferenceRecord } from '../../src/fields/reference-snapshot.js';
import { ReferenceService } from '../../src/reference/reference.service.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

// Fixed, so that cached references do not expire.
const now = new Date();
const gateway = ownGateway({}, { clock: () => now });
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());
afterEach(() => void jest.restoreAllMocks());

const recordOf = (publicId: string): ReferenceRecord => ({
  _id: new Types.ObjectId(),
  kind: 'contract',
  publicId,
  name: { en: publicId, fr: publicId },
  parent: null,
});

async function add(publicId: string): Promise<Types.ObjectId> {
  const record = recordOf(publicId);
  await gateway.models.references.collection.insertOne(record);
  return record._id;
}

describe('reference that another process has added (Contract 2.3.2)', () => {
  const one = '{ job(publicId: "acme-backend-engineer") { contract { publicId } } }';
  const page = '{ jobs(mediaPublicId: "demo-media") { edges { node { contract { publicId } } } } }';

  it.each([
    ['a job', one],
    ['a page of jobs', page],
  ])('is shown at once in %s that uses it', async (_what, query) => {
    await graphql(gateway, query, {}, { token });
    const contract = await add('new');
    await gateway.models.jobs.collection.updateOne(
      { publicId: 'acme-backend-engineer' },
      { $set: { contract } },
    );
    const { body } = await graphql(gateway, query, {}, { token });
    expect(JSON.stringify(body.data)).toContain('{"contract":{"publicId":"new"}}');
  });
});

describe('ReferenceService', () => {
  const isGoneFrom = async (service: ReferenceService, id: Types.ObjectId) =>
    (await service.readStored([{ kind: 'contract', id }])).find('contract', id) === undefined;

  it('reads only if a reference is missing, and then once', async () => {
    const references = collectionOf(gateway.models.references);
    const service = new ReferenceService(references, () => now);
    const find = jest.spyOn(references, 'find');
    const known = await add('known');
    for (let time = 0; time < 3; time += 1) expect(await isGoneFrom(service, known)).toBe(false);
    expect(find).toHaveBeenCalledTimes(1);
    const gone = new Types.ObjectId();
    for (let time = 0; time < 3; time += 1) expect(await isGoneFrom(service, gone)).toBe(true);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('reads again if the running read began before the reference was added', async () => {
    const references = collectionOf(gateway.models.references);
    const service = new ReferenceService(references, () => now);
    await service.read();
    const before = await references.find().toArray();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const toArray = () => held.then(() => before);
    jest.spyOn(references, 'find').mockReturnValueOnce({ toArray } as never);
    const underWay = service.read([{ kind: 'contract', id: 'nothing' }]);
    const asked = isGoneFrom(service, await add('late'));
    release();
    await underWay;
    expect(await asked).toBe(false);
  });
});

describe('the order of references (Contract 2.3.3)', () => {
  const named = (en: string, fr = en, rank?: number | null): ReferenceRecord => ({
    ...recordOf(en),
    name: { en, fr },
    ...(rank !== undefined && { rank }),
  });

  it.each([
    [
      'by the number that the English name begins with',
      ['5,000 and more', '1,000 to 4,999', '10 to 49', '1.5', '1 to 9'],
    ],
    ['by name after those with a number', ['Ábaco 2', 'Ábaco 10', 'abacus', '7 days'].reverse()],
  ])('is %s', (_what, names) => {
    const expected = [
      ...['1 to 9', '1.5', '10 to 49', '1,000 to 4,999', '5,000 and more'],
      ...['7 days', 'Ábaco 2', 'Ábaco 10', 'abacus'],
    ].filter((name) => names.includes(name));
    const snapshot = new ReferenceSnapshot(names.map((name) => named(name)));
    expect(snapshot.list('contract', 'en').map(({ publicId }) => publicId)).toEqual(expected);
  });

  it('is by rank before all, and by name in the language asked for', () => {
    const snapshot = new ReferenceSnapshot([
      named('1 day'),
      named('Cat', 'Chat'),
      named('Dog', 'Animal', null),
      named('None', 'Aucun', 1),
    ]);
    const order = (language: 'en' | 'fr') =>
      snapshot.list('contract', language).map(({ publicId }) => publicId);
    expect([order('en'), order('fr')]).toEqual([
      ['None', '1 day', 'Cat', 'Dog'],
      ['None', '1 day', 'Dog', 'Cat'],
    ]);
  });

  it.each([
    ['size', 'en', ['1 to 9 employees', '10 to 49 employees', '50 to 249 employees']],
    ['experience', 'fr', ['Débutant accepté', 'Moins d’un an', '1 à 2 ans']],
    ['sector', 'fr', ['Action sociale', 'Agriculture', 'Agroalimentaire']],
  ])('is that of both APIs: %s, in %s', async (kind, language, names) => {
    const headers = { 'accept-language': language };
    const { body } = await graphql(gateway, `{ references(kind: ${kind}) { name } }`, {}, { token, headers });
    const overRest = await rest(gateway, 'GET', `/references/${kind}`, undefined, { token, headers });
    for (const listed of [body.data?.references, overRest.body.data] as unknown[])
      expect((listed as { name: string }[]).slice(0, 3).map(({ name }) => name)).toEqual(names);
  });
});

describe('reference (Contract 5.2.8, 5.4.5)', () => {
  const cdi = recordOf('cdi');
  const snapshot = new ReferenceSnapshot([cdi]);

  it('is found by its exact public id, and by its 24-hex id in any case', () => {
    expect(snapshot.find('contract', 'cdi')).toBe(cdi);
    expect(snapshot.find('contract', 'CDI')).toBeUndefined();
    expect(snapshot.find('contract', cdi._id.toHexString())).toBe(cdi);
    expect(snapshot.find('contract', cdi._id.toHexString().toUpperCase())).toBe(cdi);
    expect(snapshot.find('contract', cdi._id)).toBe(cdi);
  });

  it('is found only under its own kind', () => {
    expect(snapshot.find('worktime', 'cdi')).toBeUndefined();
    expect(snapshot.find('worktime', cdi._id)).toBeUndefined();
  });

  it('is found by its ObjectId, even if the public id of another reference is the same 24 hex digits', () => {
    const other = recordOf(cdi._id.toHexString());
    const both = new ReferenceSnapshot([cdi, other]);
    expect(both.find('contract', cdi._id)).toBe(cdi);
    expect(both.find('contract', cdi._id.toHexString())).toBe(other);
  });
});
