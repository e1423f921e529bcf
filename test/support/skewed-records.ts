import { Types } from 'mongoose';
import { nameKey } from '../../src/text/name-key.rules.js';
import { type Models } from '../../src/models.js';

const jobCount = 1_000;
const companyCount = 200;

const now = Date.now();
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(now + days * dayMs);
const idOf = (kind: string, index: number) => `${kind}-${String(index).padStart(4, '0')}`;
const isLast = (index: number) => index === jobCount - 1;

const companyOf = (index: number) => {
  if (index % 250 === 249) return 'globex';
  return index % 10 === 3 ? idOf('company', index % 7) : 'acme';
};

/** Some published jobs are past their end, but not yet archived. Some archived jobs were never published, or were archived early. */
const publicationOf = (index: number) => {
  if (isLast(index) || (index % 9 > 0 && index % 11 === 5)) return { publishedAt: null, expiresAt: null };
  const endsIn = index % 9 > 0 ? (index % 70) - 65 : index % 27 === 0 ? -1 : (index % 40) + 1;
  return { publishedAt: inDays(-1 - ((index * 31) % 83)), expiresAt: inDays(endsIn) };
};

/** Most jobs belong to one company, and four to another. Most are archived. The last one is a rare one. */
const jobAt = (index: number) => ({
  publicId: idOf('job', index),
  company: companyOf(index),
  name: index % 250 === 7 ? 'Agent de nuit' : isLast(index) ? 'Astronome' : 'Comptable',
  createdBy: index % 2 === 0 ? 'half' : 'tester',
  state: isLast(index) ? 'draft' : index % 9 === 0 ? 'published' : 'archived',
  ...publicationOf(index),
  // An order that has nothing to do with the public ids. Some have no instant, and many share one.
  changedAt: inDays(-1 - Math.floor(((index * 7_919) % jobCount) / 20)),
});
export const jobs = Array.from({ length: jobCount }, (_, index) => jobAt(index));

const companyAt = (index: number) => ({
  publicId: idOf('company', index),
  name: index % 150 === 149 ? `Éclair ${index}` : `Bench ${index}`,
  createdBy: index % 2 === 0 ? 'half' : 'tester',
  brand: index % 3 === 0 ? 'third' : null,
  isPublished: index % 5 > 0,
  changedAt: inDays(-1 - ((index * 37) % companyCount)),
});
type Company = ReturnType<typeof companyAt>;
const named = { createdBy: 'tester', isPublished: true, changedAt: inDays(-300) };
const companies: Company[] = [
  { publicId: 'acme', name: 'Acme', brand: 'acme-group', ...named },
  { publicId: 'globex', name: 'Globex', brand: null, ...named },
  ...Array.from({ length: companyCount }, (_, index) => companyAt(index)),
];

/** Replaces the demo data's jobs and companies. */
export async function insertSkewed(models: Pick<Models, 'jobs' | 'companies'>): Promise<void> {
  const job = await models.jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
  const company = await models.companies.collection.findOne(
    { publicId: 'acme' },
    { projection: { domainKey: 0 } },
  );
  await models.jobs.collection.deleteMany({});
  await models.companies.collection.deleteMany({});
  await models.jobs.collection.insertMany(
    jobs.map((own) => ({
      ...job,
      ...own,
      _id: new Types.ObjectId(),
      nameKey: nameKey(own.name),
      brand: companies.find(({ publicId }) => publicId === own.company)?.brand ?? null,
    })),
  );
  await models.companies.collection.insertMany(
    companies.map(({ isPublished, ...own }) => ({
      ...company,
      ...own,
      memberships: [{ media: 'demo-media', isPublished, isVmePagePublished: isPublished }],
      _id: new Types.ObjectId(),
      nameKey: nameKey(own.name),
    })),
  );
}
