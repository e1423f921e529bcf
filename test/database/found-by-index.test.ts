import { describe, expect, it } from '@jest/globals';
import { parseIndexDefinition } from '../../src/database/embedded/index/definition.js';
import { planAccess } from '../../src/database/embedded/query/plan.js';
import { parseSort } from '../../src/database/embedded/query/sort.js';
import { Collection } from '../../src/database/embedded/storage/collection.js';
import { type BsonDocument } from '../../src/database/embedded/values/document.js';
import { indexesOf, type Models } from '../../src/database/models.js';
import { noDisk } from '../support/memory-store.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { type usualClaims } from '../support/tokens.js';

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing });

const ofOthers = 500;
const own = 3;

/** The indexes of a model, over many records of others and a few that have these values. */
function collectionOf(model: Models[keyof Models], common: BsonDocument, values: BsonDocument): Collection {
  const collection = new Collection(1, noDisk, { database: 'd', name: 'c', indexes: [] });
  collection.createIndexes(
    indexesOf(model).map((index, serial) => parseIndexDefinition({ name: String(serial), ...index })),
  );
  for (let _id = 0; _id < ofOthers + own; _id += 1) {
    const unique = { _id, publicId: `id-${_id}`, nameKey: `${_id}` };
    collection.insert({ ...unique, ...common, ...(_id < own && values) });
  }
  return collection;
}

/** The filter without an `$or` of one condition, which servers take for the condition itself. */
const plain = ({ $and, $or, ...conditions }: BsonDocument): BsonDocument => {
  const [all, any] = [$and, $or].map((list) => (list ?? []) as BsonDocument[]);
  return { ...conditions, $and: [...all!, ...(any?.length === 1 ? any : [])].map(plain) };
};

/** How many records each search in a collection goes through by its indexes. */
const examinedIn = (collection: Collection, name: string): number[] =>
  sent.to(name).map(({ filter, sort, pipeline }) => {
    const [match, order] = pipeline
      ? (pipeline as BsonDocument[]).map((stage) => Object.values(stage)[0] as BsonDocument)
      : [filter as BsonDocument, Object.fromEntries((sort ?? []) as Iterable<[string, 1]>)];
    return [...planAccess(collection, plain(match!), parseSort(order!)).records].length;
  });

const partner = { roles: ['media_partner'], sub: 'own' } as const;
const brandAdmin = { roles: ['brand_admin'], brand: 'own', media: undefined } as const;
const jobs = 'jobs(mediaPublicId: "demo-media") { edges { cursor } }';
const drafts = 'jobs(mediaPublicId: "demo-media", state: draft) { edges { cursor } }';
const companies = 'companies(mediaPublicId: "demo-media") { edges { cursor } }';

describe('what a large media holds of others is not gone through', () => {
  it.each<[string, Partial<typeof usualClaims>, string]>([
    ['jobs of a partner', partner, jobs],
    ['jobs in a state', {}, drafts],
    ['companies of a partner', partner, companies],
    ['companies of a brand', brandAdmin, companies],
    ['jobs of a brand', brandAdmin, jobs],
  ])('for %s', async (_, claims, query) => {
    const { companies: companyModel, jobs: jobModel } = gateway.models;
    const company = { brand: 'other', createdBy: 'other', memberships: [{ media: 'demo-media' }] };
    const job = { media: 'demo-media', company: 'other', createdBy: 'other', state: 'archived' };
    // Of a brand without companies the gateway would ask for nothing further.
    await companyModel.collection.updateOne({ publicId: 'acme' }, { $set: { brand: 'own' } });
    const token = await gateway.token(claims);
    sent.forget();
    const { body } = await graphql(gateway, `{ ${query} }`, {}, { token });
    expect(body.errors).toBeUndefined();
    const values = { brand: 'own', createdBy: 'own', company: 'acme', state: 'draft' };
    const examined = [
      ...examinedIn(collectionOf(companyModel, company, values), 'companies'),
      ...examinedIn(collectionOf(jobModel, job, values), 'jobs'),
    ];
    expect(examined.length).toBeGreaterThan(0);
    expect(Math.max(...examined)).toBeLessThanOrEqual(own);
  });
});
