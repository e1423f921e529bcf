import { beforeAll, describe, expect, it } from '@jest/globals';
import mongoose, { type Model } from 'mongoose';
import { modelsOf, type Models } from '../../src/models.js';
import { demoData } from '../../src/demo/demo-data.js';
import { latestEnd, stateAt } from '../../src/job/job-end.rules.js';
import { loadGazetteer } from '../../src/job/location/gazetteer.js';
import { resolveLocalisation } from '../../src/job/location/resolve-localisation.rules.js';
import { referenceKinds } from '../../src/fields/reference-snapshot.js';

const now = new Date('2026-03-31T10:20:30.456Z');
const lifetimeMs = 90 * 86_400_000;
const data = demoData(now);
const job = (publicId: string) => data.jobs.find((record) => record.publicId === publicId);
const company = (publicId: string) => data.companies.find((record) => record.publicId === publicId);

const expectUnique = (values: readonly unknown[]) =>
  expect(new Set(values.map(String)).size).toBe(values.length);

describe('demo data', () => {
  // The connection is never opened.
  let models: Models;
  beforeAll(() => {
    models = modelsOf(mongoose.createConnection());
  });

  it('is the same on every call', () => {
    expect(demoData(new Date(now))).toEqual(data);
    expect(company('acme')?._id.toHexString()).toMatch(/^[\da-f]{24}$/);
  });

  it('has unique ids', () => {
    expectUnique([
      ...Object.values(data).flatMap((records: { _id: unknown }[]) => records.map(({ _id }) => _id)),
      ...data.jobs.flatMap(({ questions }) => questions.map(({ _id }) => _id)),
      ...data.companies.flatMap(({ offices }) => offices.map(({ _id }) => _id)),
    ]);
  });

  it('has unique keys', () => {
    expectUnique(data.media.map(({ publicId }) => publicId));
    expectUnique(data.jobs.map(({ publicId }) => publicId));
    expectUnique(data.references.map(({ kind, publicId }) => `${kind}:${publicId}`));
    for (const key of ['publicId', 'nameKey', 'domainKey'] as const) {
      expectUnique(data.companies.map((record) => record[key]));
    }
  });

  it.each(['media', 'companies', 'jobs', 'references'] as const)(
    'has only valid %s, which their schema stores unchanged',
    async (name) => {
      const model = models[name] as unknown as Model<object>;
      for (const record of data[name]) {
        const document = new model(record, null, { strict: 'throw' });
        await document.validate();
        expect(document.toObject()).toEqual(record);
      }
    },
  );

  it('has each company in the expected media, and each job in a media of its company', () => {
    expect(
      data.companies.map(({ publicId, domainUrl, brand, createdBy, memberships }) => ({
        ...{ publicId, domainUrl, brand, createdBy },
        in: memberships.map(({ media, isPublished }) => `${media}${isPublished ? ', published' : ''}`),
      })),
    ).toEqual([
      {
        publicId: 'acme',
        domainUrl: 'acme.example',
        brand: 'acme-group',
        createdBy: 'partner-a',
        in: ['demo-media, published'],
      },
      { publicId: 'globex', domainUrl: 'globex.example', brand: null, createdBy: 'demo', in: ['demo-media'] },
      {
        publicId: 'initech',
        domainUrl: 'initech.example',
        brand: null,
        createdBy: 'demo',
        in: ['other-media, published'],
      },
    ]);
    for (const { company: owner, media } of data.jobs) {
      expect(company(owner)?.memberships.map((membership) => membership.media)).toContain(media);
    }
    expect(data.media.map(({ publicId }) => publicId)).toEqual(['demo-media', 'other-media']);
  });

  it('dates publications back from the moment of seeding', () => {
    expect(
      data.jobs.map((record) => [
        record.publicId,
        record.state,
        record.publishedAt?.toISOString() ?? null,
        stateAt({ ...record, expiresAt: latestEnd(record.publishedAt, lifetimeMs) }, now),
        record.createdBy,
      ]),
    ).toEqual([
      ['acme-backend-engineer', 'published', '2026-03-31T10:20:30.456Z', 'published', 'partner-a'],
      ['acme-office-manager', 'draft', null, 'draft', 'demo'],
      ['acme-data-analyst', 'published', '2026-01-01T10:20:30.456Z', 'published', 'partner-b'],
      ['acme-night-guard', 'published', '2025-12-30T10:20:30.456Z', 'archived', 'demo'],
      ['globex-accountant', 'draft', null, 'draft', 'demo'],
      ['initech-tester', 'published', '2026-03-19T10:20:30.456Z', 'published', 'demo'],
    ]);
  });

  it('asks the same questions in every job', () => {
    const asked = data.jobs.map(({ questions }) => questions.map((question) => ({ ...question, _id: null })));
    for (const questions of asked) expect(questions).toEqual(asked[0]);
  });

  it('has references of every kind, named in both languages, and job categories on two levels', () => {
    expect(new Set(data.references.map(({ kind }) => kind))).toEqual(new Set(referenceKinds));
    for (const { name, publicId } of data.references) {
      expect(Object.keys(name)).toEqual(['en', 'fr']);
      for (const text of Object.values(name)) expect(text).toMatch(/\S/);
      expect(publicId).toMatch(/^[a-z][a-z\d_]*$/);
    }
    const parents = data.references.filter(({ parent }) => parent !== null);
    expect(parents.length).toBeGreaterThan(0);
    for (const { kind, parent } of parents) {
      expect(kind).toBe('job_category');
      const wider = data.references.find((record) => record.kind === kind && record.publicId === parent);
      expect(wider?.parent).toBeNull();
    }
  });

  it('has one job with an external application page', () => {
    const external = data.jobs.filter(({ applicationMethod }) => applicationMethod === 'external_apply');
    expect(external).toEqual([job('acme-data-analyst')]);
    expect(external[0]?.applicationUrl).toMatch(/^https:/);
  });

  it('stores with each job the location that its localisation resolves to', async () => {
    const gazetteer = loadGazetteer();
    for (const { localisation, location } of data.jobs) {
      // The gateway does not recognise the street before the city.
      const place = (localisation ?? '').split(', ').at(-1) ?? '';
      expect({ ...location, addressNbr: null, address: null }).toEqual(
        resolveLocalisation(place, gazetteer).location,
      );
    }
  });
});
