import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { memoize } from '../memoize.js';
import { type Caller } from '../tokens/caller.js';
import { mediaWithin, membershipIn, notFound, reachesRecord } from '../permissions/reach.rules.js';
import { type ReplyBudget, asBytes } from '../paging/reply-budget.js';
import { type Patch, writtenPaths, pathsOf, referencesIn, trimTexts } from '../fields/fields.rules.js';
import { type Order } from '../paging/order.rules.js';
import { type ListRequest, type Page, readPage } from '../paging/page.js';
import { allOf, leavingOut, projectionOf } from '../paging/query.rules.js';
import { fieldConditions } from '../paging/field-filter.rules.js';
import { type Warning } from '../fields/warning.js';
import { countList, type ListBounds, readList } from '../database/list.js';
import { retryLostRace } from '../database/retry-lost-race.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault } from '../errors/field-fault.js';
import { isDuplicateKey } from '../database/database-errors.js';
import {
  assertFaultless,
  historyProjection,
  type MutationControl,
  type VersionCheck,
  type VersionedRecords,
} from '../history/versioned-records.js';
import { recordAfter } from '../history/version-write.rules.js';
import { isMade } from '../idempotency/keyed-call.js';
import { ReadableRecords } from '../database/readable-records.js';
import { recordReader, type RecordReader } from '../database/record-reader.js';
import { type ReferenceService } from '../reference/reference.service.js';
import { type ReachedMedia } from '../media/media.service.js';
import { companyFields, companyFilters } from './company-fields.rules.js';
import { type CompanyFilter, companyList } from './company-list.js';
import { companyChanges, readCompanyUpdate } from './company-update.rules.js';
import { companySchema, type CompanySort } from './company.mongoose.js';
import { identityKeys, reachPaths } from './company-identity.rules.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { findWithTimeLimit } from '../database/with-time-limit.js';
import { blankCompany, type CompanyRecord } from './company.record.js';
import {
  companiesWithinReach,
  type IdentifiedFields,
  identifierFaults,
  identifyCompany,
} from './identify-company.js';
import { type HeldFile } from './logo/logo-intake.js';
import { type LogoStore } from './logo/logo-store.js';
import { type LogoRead, readLogo } from './logo/logo.service.js';

export type CompanyUpdateInput = IdentifiedFields & {
  logo?: Promise<HeldFile> | null | undefined;
};

const none: ReadonlySet<string> = new Set();

const projectedCompany = (projection: Document) => recordReader<CompanyRecord>(blankCompany, projection);

const projectionOfOne = memoize((paths: ReadonlySet<string>) => projectedCompany(projectionOf(paths)));

const readingOfNodes = memoize((paths: ReadonlySet<string>) => {
  const all = [...paths, 'publicId', 'memberships.media', ...reachPaths];
  return { ...projectedCompany(projectionOf(all)), readable: new ReadableRecords(companySchema, all) };
});

const readingOfPage = memoize((paths: ReadonlySet<string>) =>
  memoize(({ sort }: Order) => {
    const all = [...paths, ...Object.keys(sort)];
    return {
      ...projectedCompany(projectionOf(all)),
      readable: new ReadableRecords(companySchema, all),
    };
  }),
);

/** Large values: an update reads them only to change or return them. */
const longPaths = ['offices', ...pathsOf(companyFields, 'isLong')];

export class CompanyService {
  constructor(
    private readonly dependencies: {
      companies: Collection<CompanyRecord>;
      versioned: VersionedRecords<CompanyRecord>;
      history: VersionCheck;
      references: ReferenceService;
      logoStore: LogoStore;
      onLogoShed: () => void;
      clock: () => Date;
      listBounds: ListBounds;
    },
  ) {}

  /** @throws DomainError company-not-found, unauthorized-limitation, payload-too-large */
  async get(
    caller: Caller,
    { mediaPublicId, publicId }: { mediaPublicId: string; publicId: string },
    { paths = none, budget }: { paths?: ReadonlySet<string> | undefined; budget: ReplyBudget },
  ): Promise<CompanyRecord> {
    const { projection, decode } = projectionOfOne(paths);
    const [bytes] = await this.dependencies.companies
      .find<Uint8Array>(allOf({ publicId }, companiesWithinReach(caller, mediaPublicId)), {
        ...asBytes,
        projection,
        limit: 1,
      })
      .toArray();
    if (!bytes) throw notFound(caller, mediaPublicId, 'company-not-found');
    budget.spend(bytes.length);
    return decode(bytes);
  }

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

  /**
   * Never creates a company. Checks run in the documented order; if all pass, one write stores every change.
   * @param paths the paths to return
   * @throws DomainError validation-failed, company-not-found, company-already-existed, unauthorized-limitation, version-conflict,
   *   service-unavailable
   */
  async update(
    caller: Caller,
    untrimmed: CompanyUpdateInput,
    control: MutationControl,
    paths: Iterable<string> = [],
  ): Promise<{ company: CompanyRecord; warnings: Warning[] }> {
    const input = trimTexts(untrimmed);
    assertFaultless(identifierFaults(input, control.parseFaults));
    const needed = new Set([...paths, ...writtenPaths(companyFields, input)]);
    const read = projectedCompany({ ...historyProjection(control.call), ...leavingOut(longPaths, needed) });
    // Decode the logo after the checks of company, reach and version, and only once, even if a lost race makes the update retry.
    let reading: Promise<LogoRead> | undefined;
    const decodeLogo = () => (reading ??= readLogo(input.logo, this.dependencies.onLogoShed));
    return retryLostRace(() => this.tryUpdate(caller, input, control, { read, decodeLogo }));
  }

  private async tryUpdate(
    caller: Caller,
    input: CompanyUpdateInput,
    control: MutationControl,
    { read, decodeLogo }: { read: RecordReader<CompanyRecord>; decodeLogo: () => Promise<LogoRead> },
  ) {
    const { companies, references, versioned, history, logoStore, clock } = this.dependencies;
    // Each read takes a round trip, so start both at the same time.
    const reading = references.read(referencesIn(companyFields, input));
    reading.catch(() => undefined);
    const { company, identifiedBy } = await identifyCompany(companies, caller, input, {
      read,
      call: control.call,
    });
    if (isMade(company, control.call)) return { company, warnings: [] };
    await history.assertVersion(company, control);

    const [snapshot, logo] = await Promise.all([reading, decodeLogo()]);
    const { patch, faults, warnings } = readCompanyUpdate(input, {
      parseFaults: [...(control.parseFaults ?? []), ...logo.faults],
      record: company,
      snapshot,
      identifiedBy,
      hasLogoFile: input.logo != null,
      isLogoAnimated: logo.image?.isAnimated,
    });
    assertFaultless(faults);
    if (logo.image) patch.logo = { kind: 'file', hash: logo.image.hash };

    const { derived, changes } = companyChanges(company, patch);
    const steps = changes.length > 0 ? [{ at: clock(), origin: control.origin, changes, derived }] : [];
    if (control.isDryRun) {
      await this.assertIdentityFree(company, derived);
      return { company: recordAfter(company, steps), warnings };
    }

    // Put the file even if the company already has this logo: if a parallel update replaces the logo, the file must stay for an hour.
    if (logo.image) await logoStore.put(logo.image);
    const written = await versioned.write(company, steps, control.call).catch((error: unknown) => {
      throw isDuplicateKey(error) ? alreadyExisted(derived) : error;
    });
    return written && { company: written, warnings };
  }

  /** Only a dry run needs this check: in a write, the unique indexes reject a taken name or domain. */
  private async assertIdentityFree(company: CompanyRecord, patch: Patch): Promise<void> {
    const keys = Object.values(identityKeys)
      .filter((key) => patch[key] != null)
      .map((key) => ({ [key]: patch[key] }));
    if (keys.length === 0) return;
    const others = { _id: { $ne: company._id }, $or: keys };
    if (await this.dependencies.companies.findOne(others, { projection: { _id: 1 } }))
      throw alreadyExisted(patch);
  }
}

/**
 * For an identified company whose new name or domain is taken. Names each that was sent, taken or not: the caller must not learn
 * more of the other company.
 */
function alreadyExisted(patch: Patch): DomainError {
  const code = 'company-already-existed';
  const fields = Object.entries(identityKeys).flatMap(([field, key]) => (patch[key] != null ? [field] : []));
  const faults = fields.map((field) => ({ ...fieldFault.conflict(field, code), message: taken }));
  return new DomainError(code, { faults, graphqlMessage: taken });
}

const taken = {
  en: 'Another company has this name or domain.',
  fr: 'Une autre entreprise a ce nom ou ce domaine.',
};
