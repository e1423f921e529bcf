import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TokenClaims } from '../../src/tokens/token-signer.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { places, storePlaces } from './matrix/places.js';

const commands = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: commands.tracing });
beforeAll(() => storePlaces(gateway));
beforeEach(() => commands.forget());

const callers: Record<string, Partial<TokenClaims>> = {
  media_partner: { roles: ['media_partner'] },
  brand_admin: { roles: ['brand_admin'], brand: 'acme-group' },
  'brand_admin without a media claim': { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
  'media_partner and brand_admin': { roles: ['media_partner', 'brand_admin'], brand: 'acme-group' },
  'media_admin without a media claim': { roles: ['media_admin'], media: undefined },
};

const { company, job } = places['another partner’s record, other brand'];
const inMedia = 'mediaPublicId: "demo-media"';
/** Only an update by name or domain finds more: who else has that name, which is unique over all media. */
const calls: Record<
  string,
  { foreign: string; absent: string; document: (id: string) => string; mostFound?: number }
> = {
  'a job': { foreign: job, absent: 'absent', document: (id) => `{ job(publicId: "${id}") { name } }` },
  'a company': {
    foreign: company,
    absent: 'absent',
    document: (id) => `{ company(${inMedia}, publicId: "${id}") { name } }`,
  },
  'an update of a job': {
    foreign: job,
    absent: 'absent',
    document: (id) => `mutation { updateJob(input: { jobPublicId: "${id}", salary: "1" }) { job { name } } }`,
  },
  'an update of a job of a media': {
    foreign: job,
    absent: 'absent',
    document: (id) =>
      `mutation { updateJob(input: { ${inMedia}, jobPublicId: "${id}", salary: "1" }) { job { name } } }`,
  },
  'an update of a company': {
    foreign: company,
    absent: 'absent',
    document: (id) =>
      `mutation { updateCompany(input: { ${inMedia}, companyPublicId: "${id}", description: "x" }) { company { name } } }`,
  },
  'an update of a company by its name': {
    mostFound: 1,
    foreign: company,
    absent: 'absent',
    document: (name) =>
      `mutation { updateCompany(input: { ${inMedia}, name: "${name}", description: "x" }) { company { name } } }`,
  },
  'an update of a company by its domain, with a name': {
    mostFound: 1,
    foreign: `${company}.example`,
    absent: 'absent.example',
    document: (domain) =>
      `mutation { updateCompany(input: { ${inMedia}, domainUrl: "https://${domain}", name: "absent", description: "x" }) { company { name } } }`,
  },
};

async function seenBy(token: string, document: string) {
  commands.forget();
  const { body } = await graphql(gateway, document, {}, { token, headers: { 'x-request-id': 'same' } });
  expect(body.errors?.map(({ extensions }) => [extensions.error, extensions.reason])).toEqual([
    ['unauthorized-limitation', 'out_of_reach'],
  ]);
  // The rest of the reply is the state of the quota, and places in a document whose ids differ in length.
  const reply = body.errors?.map(({ message, path, extensions }) => ({ message, path, extensions }));
  // Other commands refresh the caches of media and references.
  const names = commands.names.filter((name) => / (?:jobs|companies)$/.test(name));
  return { reply, names, found: commands.found('jobs', 'companies') };
}

it('a job of another media looks like an absent one to the database for a media_admin, too (Contract 3.3.7)', async () => {
  const token = await gateway.token();
  const { document } = calls['a job'] ?? {};
  const abroad = places['own record, own brand, foreign media'].job;
  for (const id of [abroad, 'absent'])
    expect(await seenBy(token, document?.(id) ?? '')).toMatchObject({ names: ['aggregate jobs'], found: 0 });
});

it('to a brand_admin without a media claim, a media without its companies looks like an absent one (Contract 3.3.7)', async () => {
  await gateway.models.media.create({
    publicId: 'brandless',
    name: 'x',
    jobUrlTemplate: 'https://x.example/{job}',
  });
  const token = await gateway.token(callers['brand_admin without a media claim']);
  const seen = async (media: string) => {
    const document = `{ jobs(mediaPublicId: "${media}") { totalCount } }`;
    await seenBy(token, document);
    const { reply } = await seenBy(token, document);
    return { reply, names: commands.names };
  };
  expect(await seen('brandless')).toEqual(await seen('absent'));
});

describe.each(Object.entries(callers))('to a %s', (_caller, claims) => {
  it.each(Object.entries(calls))(
    '%s out of reach looks like an absent one to its caller and to the database (Contract 3.3.7, 7.3.3)',
    async (_call, { foreign, absent, document, mostFound = 0 }) => {
      const token = await gateway.token(claims);
      const one = await seenBy(token, document(absent));
      const other = await seenBy(token, document(foreign));
      expect(other.reply).toEqual(one.reply);
      expect(other.names).toEqual(one.names);
      expect(other.found - one.found).toBeLessThanOrEqual(mostFound);
    },
  );
});
