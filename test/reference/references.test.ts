import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { collectionOf } from '../../src/database/collection-of.js';
import { ReferenceSnapshot, type ReferenceRecord } from '../../src/fields/reference-snapshot.js';
import { ReferenceService } from '../../src/reference/reference.service.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';

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

describe('reference that another process has added (Contract 2.4.1)', () => {
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
    const service = new ReferenceService(
      references,
      () => now,
      () => undefined,
    );
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
    const service = new ReferenceService(
      references,
      () => now,
      () => undefined,
    );
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

describe('reference (Contract 4.1.4.1, 4.2.10)', () => {
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
