import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { memoize } from '../memoize.js';
import { type ReferenceReader } from '../fields/reference-snapshot.js';
import { type Caller } from '../tokens/caller.js';
import { notFound } from '../permissions/reach.rules.js';
import { type ReplyBudget, asBytes } from '../paging/reply-budget.js';
import { type Patch, writtenPaths, pathsOf, referencesIn, trimTexts } from '../fields/fields.rules.js';
import { allOf, leavingOut, projectionOf } from '../paging/query.rules.js';
import { type Warning } from '../fields/warning.js';
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
import { recordReader, type RecordReader } from '../database/record-reader.js';
import { companyFields } from './company-fields.rules.js';
import { companyChanges, readCompanyUpdate } from './company-update.rules.js';
import { identityKeys } from './company-identity.rules.js';
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

const companyReader = (projection: Document) => recordReader<CompanyRecord>(blankCompany, projection);

const projectionOfOne = memoize((paths: ReadonlySet<string>) => companyReader(projectionOf(paths)));

/** Large values: an update reads them only to change or return them. */
const longPaths = ['offices', ...pathsOf(companyFields, 'isLong')];

export class CompanyService {
  constructor(
    private readonly dependencies: {
      companies: Collection<CompanyRecord>;
      versioned: VersionedRecords<CompanyRecord>;
      history: VersionCheck;
      references: ReferenceReader;
      logoStore: LogoStore;
      onLogoShed: () => void;
      clock: () => Date;
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
    const read = companyReader({ ...historyProjection(control.call), ...leavingOut(longPaths, needed) });
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
