import { createHash } from 'node:crypto';
import { nameKey } from '../../dist/text/name-key.rules.js';
import { companyCount, companyId, fill, jobId } from './data.mjs';

// A media as large ones are: one company with most of the jobs, one with five, and a partner who has created half.

const dayMs = 86_400_000;
export const smallest = companyId(1);
export const largest = companyId(0);
/** The companies of a chain, each with about ten jobs. */
const isOfChain = (index) => index >= 2 && index < 202;

export const callers = {
  media: { sub: 'admin', roles: ['media_admin'], media: ['demo-media'] },
  'partner, half': { sub: 'partner-half', roles: ['media_partner'], media: ['demo-media'] },
  'partner, 0.1 %': { sub: 'partner-few', roles: ['media_partner'], media: ['demo-media'] },
  'brand, 80 %': { sub: 'brand', roles: ['brand_admin'], brand: 'largest' },
  'brand, 200 companies': { sub: 'brand', roles: ['brand_admin'], brand: 'chain' },
  'brand, 5 jobs': { sub: 'brand', roles: ['brand_admin'], brand: 'smallest' },
};

/** The same number from 0 to 1 in every run, unrelated to the other numbers of the record. */
const share = (index, what) => createHash('md5').update(`${what} ${index}`).digest().readUInt32BE() / 2 ** 32;

const creatorOf = (index) => {
  if (index % 2 === 0) return 'partner-half';
  return index % 1_000 === 1 ? 'partner-few' : 'demo';
};

function brandOf(index) {
  if (index < 2) return index === 0 ? 'largest' : 'smallest';
  return isOfChain(index) ? 'chain' : null;
}

/** The index of the job's company. */
function companyOf(index, jobCount) {
  // A prime, so that companies are spread over the order of public ids.
  const rank = (index * 7_919) % jobCount;
  if (rank < jobCount * 0.8) return 0;
  return rank < jobCount * 0.8 + 5 ? 1 : 2 + (rank % (companyCount - 2));
}

/** Of a hundred jobs, 70 are archived, 27 published and 3 drafts. */
function lifeOf(index, now) {
  const kind = share(index, 'state');
  const ago = (days) => new Date(now - days * dayMs);
  const age = share(index, 'age');
  if (kind < 0.03) return { state: 'draft', publishedAt: null };
  if (kind < 0.3) return { state: 'published', publishedAt: ago(age * 89) };
  return { state: 'archived', publishedAt: ago(91 + age * 900) };
}

export const rareWord = 'astronomer';
const named = (name) => ({ name, nameKey: nameKey(name) });

export function seedSkewed(uri, dbName, jobCount) {
  const now = Date.now();
  const changedAt = (index) => new Date(now - share(index, 'change') * 365 * dayMs);
  return fill(uri, dbName, {
    companies: [
      companyCount,
      (index) => ({ brand: brandOf(index), createdBy: creatorOf(index), changedAt: changedAt(index) }),
    ],
    jobs: [
      jobCount,
      (index) => ({
        publicId: jobId(index),
        company: companyId(companyOf(index, jobCount)),
        brand: brandOf(companyOf(index, jobCount)),
        ...named(index % 2_000 === 0 ? `Senior ${rareWord} ${index}` : `Backend engineer ${index}`),
        createdBy: creatorOf(index),
        changedAt: changedAt(index),
        ...lifeOf(index, now),
      }),
    ],
  });
}
