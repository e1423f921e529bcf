import { buckets } from '../operations.js';
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
  parseRetentionMs,
  parseMongodbUri,
  parseQuota,
  parseText,
  parseTimeoutMs,
  type Parser,
  spellSetting,
} from './setting-parsers.js';

export interface Definition {
  /** The environment variable. */
  variable: string;
  /** For the documentation, with unit and range. */
  meaning: string;
  parse: Parser<unknown>;
  /** The text to parse if the variable is unset. Without a default, an unset setting is undefined. */
  default?: string;
  /** Keeps the value out of logs and messages. */
  isSecret?: true;
}

/** Every environment variable of the gateway itself. `npm run emit` copies this table into the handbook. */
export const settingsTable = {
  environment: {
    variable: 'NODE_ENV',
    meaning:
      '`production` rejects the built-in store and the development key, and by default turns introspection off',
    default: 'development',
    parse: parseChoice('development', 'test', 'production'),
  },
  port: {
    variable: 'PORT',
    meaning: 'TCP port, 0 to 65535; 0 picks a free port',
    default: '4000',
    parse: parseInteger(0, 65_535),
  },
  host: { variable: 'HOST', meaning: 'address to listen on', default: '127.0.0.1', parse: parseText },
  publicUrl: {
    variable: 'PUBLIC_URL',
    meaning: 'base URL where callers reach the gateway, used in replies; unset: `http://HOST:PORT`',
    parse: parseBaseUrl,
  },
  mongodbUri: {
    variable: 'MONGODB_URI',
    meaning: 'MongoDB connection string; unset: the built-in store in DATA_DIR',
    parse: parseMongodbUri,
    isSecret: true,
  },
  dataDir: {
    variable: 'DATA_DIR',
    meaning: 'folder of the built-in store and the development key',
    default: '.data',
    parse: parseText,
  },
  databaseTimeoutMs: {
    variable: 'DATABASE_TIMEOUT',
    meaning: 'longest wait for a database reply or a free connection, 100ms to 6d; then the caller gets 503',
    default: '1500ms',
    parse: parseAnswerTimeMs,
  },
  databasePoolSize: {
    variable: 'DATABASE_POOL_SIZE',
    meaning: 'maximum database connections for requests, per process, 1 to 1000; tasks have 5 of their own',
    default: '50',
    parse: parseInteger(1, 1_000),
  },
  jobLifetimeMs: {
    variable: 'JOB_LIFETIME',
    meaning:
      'how long a job stays published at most, and by default, up to 3650d; a change is for later publications',
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
    meaning:
      '`off` for processes that only serve requests; another process on the same database must archive',
    default: 'on',
    parse: parseChoice('on', 'off'),
  },
  historyLifetimeMs: {
    variable: 'HISTORY_LIFETIME',
    meaning: 'how long history entries are kept, 24h to 3650d; unset: forever',
    parse: parseLongDurationMs,
  },
  jobRetentionMs: {
    variable: 'JOB_RETENTION',
    meaning:
      'how long archived jobs are kept, counted from when their archiving was stored, 30d to 3650d; unset: forever',
    parse: parseRetentionMs,
  },
  updateJobQuota: {
    variable: 'UPDATE_JOB_QUOTA',
    meaning: 'updateJob calls per token subject, GraphQL and REST together',
    default: spellSetting('quota', buckets.updateJob) as string,
    parse: parseQuota,
  },
  mutationQuota: {
    variable: 'MUTATION_QUOTA',
    meaning: 'calls of all other mutations per token subject',
    default: spellSetting('quota', buckets.mutation) as string,
    parse: parseQuota,
  },
  readQuota: {
    variable: 'READ_QUOTA',
    meaning:
      'units of reads per token subject: one per started 1000 of complexity, 40 for the largest operation of the default GRAPHQL_MAX_COMPLEXITY. An operation that costs more than this quota is refused',
    default: spellSetting('quota', buckets.read) as string,
    parse: parseQuota,
  },
  authFailureQuota: {
    variable: 'AUTH_FAILURE_QUOTA',
    meaning:
      'failed authentications and requests for unknown paths, per address and process; further failures get 429, but valid requests still pass',
    default: '100/1m',
    parse: parseQuota,
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    meaning: 'addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas',
    default: '',
    parse: parseList(parseAddressRange),
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    meaning: 'origins that may call the gateway from a browser, separated by commas',
    default: '',
    parse: parseList(parseBaseUrl),
  },
  jwtProviders: {
    variable: 'JWT_PROVIDERS',
    meaning:
      'JSON file of the identity providers; replaces JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS_URL and JWT_KEY_FILE. `deploy/providers` has files to start with',
    parse: parseText,
  },
  jwksUrl: {
    variable: 'JWT_JWKS_URL',
    meaning:
      'URL of the identity provider’s key set; unset: the keys in JWT_KEY_FILE, or in development a key pair in DATA_DIR',
    parse: parseHttpUrl,
    isSecret: true,
  },
  keyFile: {
    variable: 'JWT_KEY_FILE',
    meaning:
      'file with the private JWK set of an installation that signs its own tokens; the first key signs tokens, and every key verifies them',
    parse: parseText,
  },
  jwtIssuer: {
    variable: 'JWT_ISSUER',
    meaning: 'the `iss` that every token must have',
    default: 'urn:recruitment-gateway:issuer',
    parse: parseText,
  },
  jwtAudience: {
    variable: 'JWT_AUDIENCE',
    meaning: 'the `aud` that every token must have',
    default: 'urn:recruitment-gateway:api',
    parse: parseText,
  },
  introspection: {
    variable: 'INTROSPECTION',
    meaning: 'GraphQL introspection; unset: `off` in production, otherwise `on`',
    parse: parseChoice('on', 'off'),
  },
  trustedDocuments: {
    variable: 'TRUSTED_DOCUMENTS',
    meaning:
      'JSON file that maps SHA-256 hashes to GraphQL documents; callers run them by hash, without the limits on depth and aliases',
    parse: parseText,
  },
  trustedDocumentsOnly: {
    variable: 'TRUSTED_DOCUMENTS_ONLY',
    meaning:
      '`on` rejects documents that are not in TRUSTED_DOCUMENTS, and turns off introspection and the explorers; REST still works',
    default: 'off',
    parse: parseChoice('on', 'off'),
  },
  bodyMaxBytes: {
    variable: 'BODY_MAX_SIZE',
    meaning: 'maximum size of a request body, up to 1024MiB; the logo file does not count',
    default: '1MiB',
    parse: parseBytes,
  },
  logoMaxBytes: {
    variable: 'LOGO_MAX_SIZE',
    meaning: 'largest logo file, up to 1024MiB; the stored image may be four times as large, up to 16MiB',
    default: '5MiB',
    parse: parseBytes,
  },
  graphqlMaxDepth: {
    variable: 'GRAPHQL_MAX_DEPTH',
    meaning: 'deepest nesting of fields, 1 to 100, not counting introspection',
    default: '10',
    parse: parseInteger(1, 100),
  },
  graphqlMaxComplexity: {
    variable: 'GRAPHQL_MAX_COMPLEXITY',
    meaning:
      'highest complexity of a GraphQL operation, which `extensions.cost` of its reply says. The default keeps an operation within 150 ms of the gateway and of the database',
    default: '40000',
    parse: parseInteger(1, 10_000_000),
  },
  requestTimeoutMs: {
    variable: 'REQUEST_TIMEOUT',
    meaning:
      'time to receive a whole request, up to 6d; the headers have a third of it. A slower request gets 408. A connection closes after twice this time without traffic, or if no request begins within 65 s of the last reply',
    default: '30s',
    parse: parseTimeoutMs,
  },
  maxInFlight: {
    variable: 'MAX_IN_FLIGHT',
    meaning: 'maximum operations at once, per process; further operations get 503 with `Retry-After`',
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
