import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nodeId } from '../../src/fields/row.rules.js';
import { places, storePlaces } from '../permissions/matrix/places.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { type usualClaims } from '../support/tokens.js';
import { sample } from '../support/sample.js';

const gateway = ownGateway({ ARCHIVER: 'off', READ_QUOTA: '1000000/1s' });
beforeAll(() => storePlaces(gateway));

const callers: Record<string, Partial<typeof usualClaims>> = {
  'a media_admin': {},
  'a media_partner': { roles: ['media_partner'], sub: 'tester' },
  'a brand_admin': { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
  'a partner and brand_admin who reads jobs alone': {
    ...{ roles: ['media_partner', 'brand_admin'], sub: 'tester', brand: 'acme-group', scope: 'r_jobs' },
  },
};

type Kind = 'Job' | 'Company' | 'Media';
const fields: Record<Kind, string> = {
  Job: '__typename id publicId name mediaPublicId company { publicId }',
  Company: '__typename id publicId name mediaPublicId isPublished',
  Media: '__typename id publicId name',
};
/** Where the graph leads on from a record. */
const edges: Record<Kind, Record<string, [Kind, isList: boolean]>> = {
  Job: { media: ['Media', false], employer: ['Company', false] },
  Company: { jobs: ['Job', true] },
  Media: { jobs: ['Job', true], companies: ['Company', true] },
};

const anyPlace = fc.constantFrom(...Object.values(places));

/** The selection of a record, with up to `steps` edges one below the other. */
const selection = (kind: Kind, steps: number): fc.Arbitrary<string> =>
  steps === 0
    ? fc.constant(`{ ${fields[kind]} }`)
    : fc
        .subarray(Object.entries(edges[kind]), { minLength: 1, maxLength: 1 })
        .chain((taken) =>
          fc.tuple(
            ...taken.map(([edge, [to, isList]]) =>
              selection(to, steps - 1).map((below) =>
                isList ? `${edge}(first: 2) { totalCount edges { node ${below} } }` : `${edge} ${below}`,
              ),
            ),
          ),
        )
        .map((below) => `{ ${fields[kind]} ${below.join(' ')} }`);

const onEach = (steps: number) =>
  fc
    .tuple(...(['Job', 'Company', 'Media'] as const).map((kind) => selection(kind, steps)))
    .map(([job, company, media]) => `{ ... on Job ${job} ... on Company ${company} ... on Media ${media} }`);

const roots: fc.Arbitrary<string> = fc.integer({ min: 0, max: 2 }).chain((steps) =>
  anyPlace.chain((place) => {
    const ids = [
      nodeId('Job', place.job),
      nodeId('Company', place.media, place.company),
      nodeId('Company', 'demo-media', place.employer),
      nodeId('Media', place.media),
    ];
    const listed = (list: string, kind: Kind) =>
      selection(kind, steps).map(
        (below) => `${list}(mediaPublicId: "${place.media}", first: 5) { edges { node ${below} } }`,
      );
    return fc.oneof(
      listed('jobs', 'Job'),
      listed('companies', 'Company'),
      selection('Media', steps).map((below) => `media(first: 2) { edges { node ${below} } }`),
      selection('Job', steps).map((below) => `job(publicId: "${place.job}") ${below}`),
      onEach(steps).map((below) => `nodes(ids: ${JSON.stringify(ids)}) ${below}`),
      fc.tuple(fc.constantFrom(...ids), onEach(steps)).map(([id, below]) => `node(id: "${id}") ${below}`),
    );
  }),
);

interface Shown extends Record<string, unknown> {
  __typename: Kind;
  publicId: string;
  mediaPublicId: string;
}

function recordsIn(value: unknown): Shown[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(recordsIn);
  return '__typename' in value ? [value as Shown, ...below] : below;
}

const own = ({ __typename: kind, publicId, mediaPublicId }: Shown): string =>
  ({
    Job: `job(publicId: "${publicId}") { ${fields.Job} }`,
    Company: `company(mediaPublicId: "${mediaPublicId}", publicId: "${publicId}") { ${fields.Company} }`,
    Media: `media(first: 100) { edges { node { ${fields.Media} } } }`,
  })[kind];

describe.each(Object.entries(callers))('%s finds by a walk over the graph', (_name, claims) => {
  it('nothing that its own query of the record does not show (Contract 3.3.1, 3.3.7, 4.2.2, 4.2.3)', async () => {
    const token = await gateway.token(claims);
    const ask = async (document: string) => (await graphql(gateway, `{ ${document} }`, {}, { token })).body;
    const known = new Map<string, Shown[]>();
    let found = 0;
    await fc.assert(
      fc.asyncProperty(roots, async (document) => {
        const { data, errors } = await ask(document);
        const codes = errors?.map(({ extensions }) => extensions.error) ?? [];
        for (const code of codes)
          expect([
            'unauthorized-limitation',
            'job-not-found',
            'company-not-found',
            'validation-failed',
          ]).toContain(code);
        for (const record of recordsIn(data)) {
          const query = own(record);
          if (!known.has(query)) known.set(query, recordsIn((await ask(query)).data));
          const flat = Object.fromEntries(
            Object.keys(known.get(query)?.[0] ?? {}).map((key) => [key, record[key]]),
          );
          expect(known.get(query)).toContainEqual(flat);
          found += 1;
        }
      }),
      sample(1_000),
    );
    expect(found).toBeGreaterThan(100);
  });
});
