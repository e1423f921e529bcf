import { type Collection } from 'mongoose';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { countList, type ListBounds, readList } from '../database/list.js';
import { ReadableRecords } from '../database/readable-records.js';
import { recordReader } from '../database/record-reader.js';
import { findWithTimeLimit } from '../database/with-time-limit.js';
import { type ReachedMedia } from '../media/media.service.js';
import { memoize } from '../memoize.js';
import { fieldConditions } from '../paging/field-filter.rules.js';
import { type Order } from '../paging/order.rules.js';
import { type ListRequest, type Page, readPage } from '../paging/page.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { type ReplyBudget, asBytes } from '../paging/reply-budget.js';
import { mediaWithin, membershipIn, reachesRecord } from '../permissions/reach.rules.js';
import { type ReferenceReader } from '../fields/reference-snapshot.js';
import { type Caller } from '../tokens/caller.js';
import { reachPaths } from './company-identity.rules.js';
import { type CompanyFilter, companyFilters, companyList } from './company-list.js';
import { companySchema, type CompanySort } from './company.mongoose.js';
import { blankCompany, type CompanyRecord } from './company.record.js';
import { companiesWithinReach } from './identify-company.js';

const readingOf = (paths: readonly string[]) => ({
  ...recordReader<CompanyRecord>(blankCompany, projectionOf(paths)),
  readable: new ReadableRecords(companySchema, paths),
});

const readingOfNodes = memoize((paths: ReadonlySet<string>) =>
  readingOf([...paths, 'publicId', 'memberships.media', ...reachPaths]),
);

const readingOfPage = memoize((paths: ReadonlySet<string>) =>
  memoize(({ sort }: Order) => readingOf([...paths, ...Object.keys(sort)])),
);

const none: ReadonlySet<string> = new Set();

export class CompanyListService {
  constructor(
    private readonly dependencies: {
      companies: Collection<CompanyRecord>;
      references: ReferenceReader;
      listBounds: ListBounds;
    },
  ) {}

  /**
   * The companies with these public ids, each as its media shows it; null if it is not in the media or out of reach. One command reads all.
   * @throws DomainError payload-too-large
   */
  async findAll(
    caller: Caller,
    keys: readonly (readonly [mediaPublicId: string, publicId: string])[],
    { paths, budget }: { paths: ReadonlySet<string>; budget: ReplyBudget },
  ): Promise<(CompanyRecord | null)[]> {
    const { companies, listBounds } = this.dependencies;
    const media = [...new Set(keys.map(([each]) => each))];
    const publicIds = keys.map(([, publicId]) => publicId);
    const filter = allOf(
      { publicId: { $in: publicIds } },
      { $or: media.map((each) => companiesWithinReach(caller, each)) },
    );
    const { projection, decode, readable } = readingOfNodes(paths);
    const options = {
      ...{ ...asBytes, ...allInOneBatch, hint: { publicId: 1 }, maxTimeMS: listBounds.queryMs },
      projection,
    };
    const found = new Map<string, CompanyRecord>();
    for (const bytes of await findWithTimeLimit<Uint8Array>(companies, filter, options)) {
      budget.spend(bytes.length);
      const company = decode(bytes);
      if (readable.has(companies, company)) found.set(company.publicId, company);
    }
    return keys.map(([each, publicId]) => {
      const company = found.get(publicId);
      return company && membershipIn(company, each) && reachesRecord(caller, each, company) ? company : null;
    });
  }

  async page(
    caller: Caller,
    { mediaPublicId, filter }: { mediaPublicId: string; filter: CompanyFilter },
    request: ListRequest,
    paths: ReadonlySet<string> = none,
  ): Promise<Page<CompanyRecord>> {
    const { companies, references, listBounds: bounds } = this.dependencies;
    const { order } = request;
    // The schema has no other orders.
    const sort = request.sort as CompanySort;
    const compared = await fieldConditions(companyFilters, filter, () => references.read());
    const roles = companyList(caller, { media: mediaPublicId, filter, compared, sort });
    const reading = readingOfPage(paths)(order);
    const listed = { projected: reading, bounds };
    const { edges, ...page } = await request.counted(
      async () =>
        readPage<CompanyRecord>(
          await readList(companies, roles, request, listed),
          request,
          async (read) => read,
        ),
      (limit) => countList(companies, roles, { limit, bounds }),
    );
    return { ...page, edges: edges.filter(({ node }) => reading.readable.has(companies, node)) };
  }

  async hasAnyWithinReach(caller: Caller, mediaPublicId: string): Promise<boolean> {
    const within = companiesWithinReach(caller, mediaPublicId);
    return (await this.dependencies.companies.findOne(within, { projection: { _id: 1 } })) !== null;
  }

  /** The media that the caller reaches: by its token or, for a brand, by the brand's companies. */
  mediaWithinReach(caller: Caller): ReachedMedia {
    const { media, brand } = mediaWithin(caller);
    const where = media ? { publicId: { $in: media } } : {};
    if (brand === undefined) return { where, having: [] };
    const ofBrand = {
      from: this.dependencies.companies.collectionName,
      localField: 'publicId',
      foreignField: 'memberships.media',
      pipeline: [{ $match: { brand } }, { $limit: 1 }, { $project: { _id: 1 } }],
      as: 'ofBrand',
    };
    return { where, having: [{ $lookup: ofBrand }, { $match: { ofBrand: { $size: 1 } } }] };
  }
}
