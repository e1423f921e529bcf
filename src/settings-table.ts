import { buckets } from './operations.js';
import {
  parseAddressRange,
  parseAnswerTimeMs,
  parseBaseUrl,
  parseBytes,
  parseChoice,
  parseDurationMs,
  parseHttpUrl,
  parseInteger,
  parseList,
  parseLongDurationMs,
  parseMongodbUri,
  parseQuota,
  parseText,
  parseTimeoutMs,
  type Parser,
  spellSetting,
} from './setting-parsers.js';

/** What a setting is: its variable, its meaning, and how its text is read. */
export interface Definition {
  /** The environment variable. */
  variable: string;
  /** What it decides, with its unit and range, for the README. */
  meaning: string;
  parse: Parser<unknown>;
  /** The text that stands for an unset variable; without one the setting may be undefined. */
  default?: string;
  /** Whether its value is kept out of every log. */
  isSecret?: true;
}

/** Every environment variable that the gateway reads, in one table. The README's table is made of it. */
export const settingsTable = {
  environment: {
    variable: 'NODE_ENV',
    meaning: '`production` refuses the built-in store and the development key, and turns introspection off',
    default: 'development',
    parse: parseChoice('development', 'test', 'production'),
  },
  port: {
    variable: 'PORT',
    meaning: 'TCP port, 0 to 65535; 0 takes a free one',
    default: '4000',
    parse: parseInteger(0, 65_535),
  },
  host: {
    variable: 'HOST',
    meaning: 'address to listen on',
    default: '127.0.0.1',
    parse: parseText,
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    meaning: 'where callers reach the gateway, for the URLs in replies; unset: `http://HOST:PORT`',
    parse: parseBaseUrl,
  },
  mongodbUri: {
    variable: 'MONGODB_URI',
    meaning: 'the MongoDB to use; unset: the built-in store under DATA_DIR',
    parse: parseMongodbUri,
    isSecret: true,
  },
  dataDir: {
    variable: 'DATA_DIR',
    meaning: 'folder of the built-in store and of the development key',
    default: '.data',
    parse: parseText,
  },
  databaseTimeoutMs: {
    variable: 'DATABASE_TIMEOUT',
    meaning:
      'longest wait for one answer of the database, or for a free connection to it, 100ms to 6d; then 503',
    default: '1500ms',
    parse: parseAnswerTimeMs,
  },
  databasePoolSize: {
    variable: 'DATABASE_POOL_SIZE',
    meaning: 'most connections to the database for requests, per process; tasks have 5 of their own',
    default: '50',
    parse: parseInteger(1, 1_000),
  },
  jobLifetimeMs: {
    variable: 'JOB_LIFETIME',
    meaning: 'how long a job stays published, up to 3650d',
    default: '90d',
    parse: parseDurationMs,
  },
  archiveEveryMs: {
    variable: 'ARCHIVE_EVERY',
    meaning: 'how often the archiving task runs, up to 6d',
    default: '1m',
    parse: parseTimeoutMs,
  },
  archiver: {
    variable: 'ARCHIVER',
    meaning: '`off` for processes that only serve; one that shares their database must archive',
    default: 'on',
    parse: parseChoice('on', 'off'),
  },
  historyLifetimeMs: {
    variable: 'HISTORY_LIFETIME',
    meaning: 'how long history entries are kept, 24h to 3650d; unset: for ever',
    parse: parseLongDurationMs,
  },
  updateJobQuota: {
    variable: 'UPDATE_JOB_QUOTA',
    meaning: 'updateJob calls per token subject, over every API together',
    default: spellSetting('quota', buckets.updateJob) as string,
    parse: parseQuota,
  },
  mutationQuota: {
    variable: 'MUTATION_QUOTA',
    meaning: 'calls of the other mutations per token subject',
    default: spellSetting('quota', buckets.mutation) as string,
    parse: parseQuota,
  },
  readQuota: {
    variable: 'READ_QUOTA',
    meaning: 'queries per token subject',
    default: spellSetting('quota', buckets.read) as string,
    parse: parseQuota,
  },
  authFailureQuota: {
    variable: 'AUTH_FAILURE_QUOTA',
    meaning:
      'failed authentications, and requests for what is not there, per address; more of them answer 429, a valid token never does',
    default: '100/1m',
    parse: parseQuota,
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    meaning:
      'addresses or CIDR ranges of the proxies whose `X-Forwarded-For` is believed, separated by commas',
    default: '',
    parse: parseList(parseAddressRange),
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    meaning: 'origins of the front-ends that browsers may call from, separated by commas',
    default: '',
    parse: parseList(parseBaseUrl),
  },
  jwksUrl: {
    variable: 'JWT_JWKS_URL',
    meaning:
      'key set of the identity provider; unset: JWT_KEY_FILE, or in development a key pair in DATA_DIR',
    parse: parseHttpUrl,
    isSecret: true,
  },
  keyFile: {
    variable: 'JWT_KEY_FILE',
    meaning: 'private JWK set of an installation that signs its own tokens; the first key signs, all verify',
    parse: parseText,
  },
  jwtIssuer: {
    variable: 'JWT_ISSUER',
    meaning: 'the `iss` that a token must have',
    default: 'urn:recruitment-gateway:issuer',
    parse: parseText,
  },
  jwtAudience: {
    variable: 'JWT_AUDIENCE',
    meaning: 'the `aud` that a token must have',
    default: 'urn:recruitment-gateway:api',
    parse: parseText,
  },
  introspection: {
    variable: 'INTROSPECTION',
    meaning: 'GraphQL introspection; unset: `on`, but `off` in production',
    parse: parseChoice('on', 'off'),
  },
  trustedDocuments: {
    variable: 'TRUSTED_DOCUMENTS',
    meaning:
      'JSON file of SHA-256 → GraphQL document; these run by their hash, with no bound of documents but that of complexity',
    parse: parseText,
  },
  trustedDocumentsOnly: {
    variable: 'TRUSTED_DOCUMENTS_ONLY',
    meaning: '`on` refuses every other document, introspection and with it the explorers; REST stays open',
    default: 'off',
    parse: parseChoice('on', 'off'),
  },
  bodyMaxBytes: {
    variable: 'BODY_MAX_SIZE',
    meaning: 'largest body, the logo file apart',
    default: '1MiB',
    parse: parseBytes,
  },
  logoMaxBytes: {
    variable: 'LOGO_MAX_SIZE',
    meaning: 'largest logo file; at most four times as much is stored of it',
    default: '5MiB',
    parse: parseBytes,
  },
  graphqlMaxDepth: {
    variable: 'GRAPHQL_MAX_DEPTH',
    meaning: 'deepest nesting of fields, introspection apart',
    default: '8',
    parse: parseInteger(1, 100),
  },
  graphqlMaxComplexity: {
    variable: 'GRAPHQL_MAX_COMPLEXITY',
    meaning:
      'the most that an operation may cost: a field counts 1, those of a list once for each element, a query or mutation 500 more, a page within one 50 more, each record of a page 10 more',
    default: '40000',
    parse: parseInteger(1, 10_000_000),
  },
  requestTimeoutMs: {
    variable: 'REQUEST_TIMEOUT',
    meaning:
      'time for a whole request to come in, up to 6d, and for its headers a third of it; a slower one is 408; a connection on which nothing moves ends after twice that time, one that is silent after a reply after 65 s',
    default: '30s',
    parse: parseTimeoutMs,
  },
  maxInFlight: {
    variable: 'MAX_IN_FLIGHT',
    meaning: 'most operations under way at once, per process; more are 503 with `Retry-After`',
    default: '500',
    parse: parseInteger(1, 100_000),
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    meaning: 'least severe level that is logged',
    default: 'info',
    parse: parseChoice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
} satisfies Record<string, Definition>;
