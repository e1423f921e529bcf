import { Types } from 'mongoose';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readCompanyUpdate } from '../company/company-update.rules.js';
import { blankCompany, type CompanyRecord } from '../company/company.record.js';
import { checkLogo, type LogoImage } from '../company/logo/logo-image.js';
import { FieldReader } from '../fields/field-reader.rules.js';
import { patched } from '../fields/fields.rules.js';
import { ReferenceSnapshot, type ReferenceRecord } from '../fields/reference-snapshot.js';
import { type OperatorValues, type RecordKind } from '../exchange/line-format.js';
import { readLine } from '../exchange/read-line.js';
import { newlyVersioned } from '../history/history-entry.js';
import { readJobFields } from '../job/job-fields.rules.js';
import { blankJob, type JobRecord } from '../job/job.record.js';
import { usualQuestions } from '../job/usual-questions.js';
import { locationOf } from '../job/location/location.js';
import { type MediaRecord } from '../media/media.record.js';

export type DemoData = ReturnType<typeof demoData>;

/** Import lines, with dates for a seeding at `writtenAt`. */
const file = new URL('../../schema/examples/demo.jsonl', import.meta.url);
const writtenAt = new Date('2026-01-01T00:00:00Z');

/** Every call returns the same records, except that publication dates move with `now`. */
export function demoData(now: Date) {
  const read = demoLines();
  const media = read('media').map(({ own }): MediaRecord => ({
    _id: demoId('media', own.public_id),
    publicId: own.public_id,
    name: own.name,
    jobUrlTemplate: own.job_url_template,
  }));
  const references = read('reference').map(({ own }): ReferenceRecord => ({
    _id: own.id,
    kind: own.type,
    publicId: own.public_id,
    name: own.name,
    parent: own.parent_public_id ?? null,
    schemaOrg: own.schema_org ?? null,
    ...(own.rank !== undefined && { rank: own.rank }),
  }));
  const sinceMs = now.getTime() - writtenAt.getTime();
  const snapshot = new ReferenceSnapshot(references);
  const companies = read('company').map(({ own, fields }) => {
    const { brand = null, offices = [], logo } = own;
    const record = {
      ...blankCompany,
      ...newlyVersioned(now),
      _id: own.id,
      publicId: own.public_id,
      createdBy: own.created_by,
      language: own.language,
      memberships: own.memberships,
      brand,
      offices,
      logo: logo ? { kind: 'file' as const, hash: hashOf(logo.base64) } : null,
    };
    const { patch } = readCompanyUpdate(fields, { record, snapshot, hasLogoFile: false });
    return { ...record, ...patch } as CompanyRecord;
  });
  const jobs = read('job').map(({ own, fields }) => {
    const company = companies.find(({ publicId }) => publicId === own.company_public_id);
    const record: JobRecord = {
      ...blankJob,
      ...newlyVersioned(now),
      name: '',
      nameKey: '',
      _id: demoId('jobs', own.public_id),
      publicId: own.public_id,
      media: own.media_public_id,
      company: own.company_public_id,
      createdBy: own.created_by,
      ...(company && { brand: company.brand, isCompanyInMedia: true, companyVersion: company.version }),
      office: company?.offices.find(({ publicId }) => publicId === own.office_id)?._id ?? null,
      questions: [...usualQuestions],
      publishedAt: own.published_at ? new Date(own.published_at.getTime() + sinceMs) : null,
    };
    const location = locationOf({ ...own.location, country: null });
    // The file has the locations, so a start with demo data need not load the gazetteer.
    const resolveLocation = () => ({ location, isResolved: true });
    const reader = new FieldReader();
    return patched(record, readJobFields(fields, { record, snapshot, reader, resolveLocation }));
  });
  return { media, companies, jobs, references };
}

/** The files that the demo companies’ logos point to. */
export function demoLogos(): Promise<LogoImage[]> {
  const files = demoLines()('company').flatMap(({ own: { logo } }) => (logo ? [logo.base64] : []));
  return Promise.all(files.map((bytes) => checkLogo({ bytes, hash: hashOf(bytes) }, { isChecked: true })));
}

/** Reads the file once for all kinds. */
function demoLines() {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return <Kind extends RecordKind>(kind: Kind) =>
    records
      .filter((line) => line.kind === kind)
      .map((line, index) => readLine(kind, line, { file: file.pathname, number: index + 1 }))
      .map(({ own, fields }) => ({ own: own as Required<OperatorValues<Kind>>, fields }));
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** For records whose lines have no id: the same on every machine and in every seeding. */
const demoId = (collection: string, key: string): Types.ObjectId =>
  Types.ObjectId.createFromHexString(hashOf(`${collection}:${key}`).slice(0, 24));

/** Two calls to paste into a shell, for the demo data. */
export function demoCalls(url: string, authorization: string): { name: string; command: string }[] {
  const document =
    'mutation($input: UpdateJobInput!) { updateJob(input: $input) { job { publicId salary state } warnings { message } } }';
  const variables = { input: { jobPublicId: 'acme-backend-engineer', salary: '55 000 €' } };
  const header = `-H 'Authorization: ${authorization}'`;
  return [
    {
      name: 'Update a job through GraphQL',
      command: `curl -sS --fail-with-body ${url}/graphql -H 'Content-Type: application/json' ${header} -d '${JSON.stringify({ query: document, variables })}'`,
    },
    {
      name: 'Update a company through REST',
      command: `curl -sS --fail-with-body -X PATCH ${url}/companies ${header} -d media_public_id=demo-media -d name=Acme --data-urlencode 'description=We make everything.'`,
    },
  ];
}
