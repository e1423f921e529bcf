/** A token with several roles has the rights of each role. */
export const roles = ['brand_admin', 'media_admin', 'media_partner'] as const;
export type Role = (typeof roles)[number];

/** `r_w_…` includes `r_…`. */
export const scopes = ['r_jobs', 'r_w_jobs', 'r_companies', 'r_w_companies'] as const;
export type Scope = (typeof scopes)[number];

/** The quota buckets of each token subject, tightest first, with their default quotas. */
export const buckets = {
  updateJob: { limit: 2, durationSeconds: 1 },
  mutation: { limit: 5, durationSeconds: 1 },
  read: { limit: 50, durationSeconds: 1 },
} as const;
export type Bucket = keyof typeof buckets;

export interface Operation {
  /** Each mutation takes an idempotency key. */
  type: 'query' | 'mutation';
  /** The kind of record that a mutation writes and its payload shows. */
  record?: WrittenRecord;
  /** Whether a mutation makes a record; otherwise it changes one. */
  isCreation?: true;
  /** The caller needs one of the roles marked true; null: no role. */
  roles: Readonly<Record<Role, boolean>> | null;
  /** The caller needs one of these scopes, and errors name the first; null: any token. */
  scopes: readonly [Scope, ...Scope[]] | null;
  /** Whether the caller's right to the media is checked before the call uses quota. */
  isMediaChecked: boolean;
  bucket: Bucket;
  /** A dry run spends this instead of a unit of `bucket`. */
  dryRunCost?: { bucket: Bucket; units: number };
  /** The REST route and methods, the documented method first; null: GraphQL only. */
  rest: { methods: readonly [Method, ...Method[]]; path: string } | null;
}
export type WrittenRecord = 'company' | 'job';
export type Method = 'GET' | 'POST' | 'PATCH';

// A new role does not compile until both records say what the role may do.
const editors: Record<Role, boolean> = { brand_admin: true, media_admin: true, media_partner: true };
const readers: Record<Role, boolean> = { brand_admin: true, media_admin: true, media_partner: true };

const anyToken = { roles: null, scopes: null, isMediaChecked: false };
const jobReader = { roles: readers, scopes: ['r_jobs', 'r_w_jobs'] } as const;
const companyReader = { roles: readers, scopes: ['r_companies', 'r_w_companies'] } as const;
const anyReader = { roles: readers, scopes: [...jobReader.scopes, ...companyReader.scopes] } as const;
const read = { type: 'query', bucket: 'read' } as const;
const mutation = { type: 'mutation', roles: editors, isMediaChecked: true } as const;

/**
 * One row per root field: the source of shield rules, rate limits, refusal counts, idempotency keys, REST routes, the OpenAPI document,
 * `schema/operations` and the access matrix. A resolver with `@RootField` does not compile without a row.
 */
export const operations = {
  viewer: { ...read, ...anyToken, rest: null },
  company: {
    ...read,
    ...companyReader,
    isMediaChecked: true,
    rest: { methods: ['GET'], path: '/companies' },
  },
  companies: { ...read, ...companyReader, isMediaChecked: true, rest: null },
  job: {
    ...read,
    ...jobReader,
    isMediaChecked: false,
    rest: { methods: ['GET'], path: '/jobs/:jobPublicId' },
  },
  jobs: { ...read, ...jobReader, isMediaChecked: true, rest: { methods: ['GET'], path: '/jobs' } },
  jobCounts: {
    ...read,
    ...jobReader,
    isMediaChecked: true,
    rest: { methods: ['GET'], path: '/job-counts' },
  },
  node: { ...read, ...anyReader, isMediaChecked: false, rest: null },
  nodes: { ...read, ...anyReader, isMediaChecked: false, rest: null },
  media: { ...read, ...anyReader, isMediaChecked: false, rest: null },
  changes: { ...read, ...anyReader, isMediaChecked: true, rest: { methods: ['GET'], path: '/changes' } },
  references: {
    ...read,
    roles: null,
    scopes: anyReader.scopes,
    isMediaChecked: false,
    rest: { methods: ['GET'], path: '/references/:kind' },
  },
  updateCompany: {
    ...mutation,
    record: 'company',
    scopes: ['r_w_companies'],
    bucket: 'mutation',
    rest: { methods: ['PATCH', 'POST'], path: '/companies' },
  },
  updateJob: {
    ...mutation,
    record: 'job',
    scopes: ['r_w_jobs'],
    bucket: 'updateJob',
    dryRunCost: { bucket: 'read', units: 5 },
    rest: { methods: ['POST', 'PATCH'], path: '/jobs/:jobPublicId' },
  },
  createJob: {
    ...mutation,
    record: 'job',
    isCreation: true,
    scopes: ['r_w_jobs'],
    bucket: 'mutation',
    rest: { methods: ['POST'], path: '/jobs' },
  },
} as const satisfies Record<string, Operation>;

export type RootFieldName = keyof typeof operations;

export type DocumentedField = {
  [Field in RootFieldName]: (typeof operations)[Field]['rest'] extends null ? never : Field;
}[RootFieldName];
export const documentedFields = (Object.keys(operations) as RootFieldName[]).filter(
  (field): field is DocumentedField => operations[field].rest !== null,
);

/** The documented mutations. */
export type MutationField = {
  [Field in DocumentedField]: (typeof operations)[Field]['type'] extends 'mutation' ? Field : never;
}[DocumentedField];
export const isCreation = (field: MutationField): boolean =>
  (operations[field] as Operation).isCreation === true;
export const mutationFields = documentedFields.filter(
  (field): field is MutationField => operations[field].type === 'mutation',
);
export const ofMutations = <Value>(make: (field: MutationField) => Value) =>
  Object.fromEntries(mutationFields.map((field) => [field, make(field)])) as Record<MutationField, Value>;

/** Which dry runs spend something other than a unit of their bucket, in words. */
export const dryRunCosts = mutationFields
  .flatMap((field) => {
    const { bucket, dryRunCost }: Operation = operations[field];
    if (!dryRunCost) return [];
    const { units, bucket: other } = dryRunCost;
    return [
      `For \`${field}\`, it spends ${units} units of the \`${other}\` quota instead of one of \`${bucket}\`.`,
    ];
  })
  .join(' ');

/** The rows by any name that a document can have. */
export const operationsByName: ReadonlyMap<string, Operation> = new Map(Object.entries(operations));
