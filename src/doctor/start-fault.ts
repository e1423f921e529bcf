import { resolve, sep } from 'node:path';
import { MongoNetworkTimeoutError, type TopologyDescription } from 'mongodb';
import { KeyFileError } from '../tokens/key-file.js';
import { ProvidersError } from '../tokens/providers.js';
import { ConnectError, MongodbUriError } from '../database/connect.js';
import { RecordFormatError } from '../database/record-format.js';
import { isDatabaseAway, isDuplicateKey } from '../database/database-errors.js';
import { messageWithCauses } from '../errors/messages.js';
import { TrustedDocumentsError } from '../graphql/trusted/trusted-documents.js';
import { SettingsError, type Settings } from '../settings/settings.js';
import { about, type Finding, lineOf } from './finding.js';

/** The oldest supported major version. */
export const oldestMongoDb = 7;
const repairKeyFile =
  'JWT_KEY_FILE must be a JSON Web Key Set that the gateway’s user can read, with a private key first; npm run key makes one';
const repairSettings = 'fix this first: see Settings in deploy/README.md';
const repairProviders = 'fix the file of JWT_PROVIDERS: see deploy/providers/README.md';
const repairTrusted =
  'let TRUSTED_DOCUMENTS name a JSON file of SHA-256 → document for this schema, such as the persisted documents of GraphQL Code Generator’s client preset';

const folderCodes = 'EACCES EPERM EROFS ENOTDIR EEXIST ENOENT ENAMETOOLONG ENOSPC EDQUOT'.split(' ');
/** Codes for an index that exists with another name or other options. */
const indexConflictCodes: unknown[] = [85, 86];
const unauthorizedCode = 13;
/** Codes for a rejected user, password or authentication mechanism; Atlas sends 8000. */
const refusedUserCodes: unknown[] = [18, 334, 8_000];
/** Node.js and OpenSSL codes for a certificate or a key. */
const tlsCode = /^ERR_(?:TLS|SSL|OSSL)_|CERT|LEAF_SIGNATURE/;

/**
 * Why the gateway does not start, and how to fix it. Empty for an error that an operator cannot fix: the caller must
 * show the stack.
 * @param settings undefined if the settings could not be read
 */
export function startFaults(error: unknown, settings: Settings | undefined): Finding[] {
  const failures = (subject: string, faults: readonly string[], fix: string) =>
    faults.map((fault) => about(subject).fail(fault, fix));
  if (error instanceof SettingsError) return failures('settings', error.message.split('\n'), repairSettings);
  if (error instanceof KeyFileError) return [about('keys').fail(error.message, repairKeyFile)];
  if (error instanceof ProvidersError) return failures('keys', error.faults, repairProviders);
  if (error instanceof TrustedDocumentsError) return failures('trusted', error.faults, repairTrusted);
  if (error instanceof RecordFormatError) return failures('database', [error.message], error.fix);
  if (!(error instanceof Error) || settings === undefined) return [];
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (error instanceof ConnectError) return [connectFault(error, settings)];
  if (isDatabaseAway(error))
    return [connectFault(new ConnectError(error.message, { cause: error }), settings)];
  if (syscall === 'listen' || syscall === 'getaddrinfo') return [listenFault(error, settings)];
  if (folderCodes.includes(String(code)) && path !== undefined && isOnWay(path, settings.dataDir))
    return [dataDirFinding(error.message, settings.dataDir)];
  if (isDuplicateKey(error))
    return failures('indexes', [error.message], 'keep only one of the records with this key');
  if (indexConflictCodes.includes(code))
    return failures('indexes', [error.message], 'drop the existing index: the next start builds its own');
  if ((code as unknown) === unauthorizedCode) return [unwritableFinding(error)];
  return [];
}

/** For standard error. */
export const startFaultLines = (...args: Parameters<typeof startFaults>): string[] =>
  startFaults(...args).map(lineOf);

/** Whether the path is the folder, a path inside it, or one of its parents. */
const isOnWay = (path: string, folder: string): boolean => {
  const [one, other] = [resolve(path) + sep, resolve(folder) + sep];
  return one.startsWith(other) || other.startsWith(one);
};

function listenFault(error: NodeJS.ErrnoException, { host, port }: Settings): Finding {
  const { fail } = about('port');
  const place = `port ${port} of ${host}`;
  const { code } = error;
  if (code === 'EADDRINUSE')
    return fail(`${place} is in use by another program`, 'stop that program, or choose another PORT');
  if (code === 'EACCES') return fail(`this user may not listen on ${place}`, 'choose a PORT of 1024 or more');
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fail(
      `${host} is not an address of this machine`,
      'fix HOST: IPv6 without brackets, 0.0.0.0 for every address',
    );
  return fail(`${place}: ${messageWithCauses(error)}`, 'fix HOST and PORT');
}

function connectFault(error: ConnectError, { mongodbUri, dataDir }: Settings): Finding {
  const { fail } = about('database');
  const { cause } = error;
  const message = messageWithCauses(cause);
  if (error.isFolderInUse)
    return fail(`the folder ${dataDir} is in use by another process`, 'stop it, or choose another DATA_DIR');
  if (mongodbUri === undefined)
    return cause instanceof MongoNetworkTimeoutError
      ? fail(
          `the built-in store in ${dataDir} is too slow: ${message}`,
          'start again when the disk and the processor are less busy, or raise DATABASE_TIMEOUT',
        )
      : dataDirFinding(message, dataDir);
  if (cause instanceof MongodbUriError) return fail(message, cause.fix);
  if ((cause as NodeJS.ErrnoException).path !== undefined)
    return fail(`MONGODB_URI names a file: ${message}`, 'let this user read that file, or name another one');
  const { servers } = (cause as { reason?: Partial<TopologyDescription> }).reason ?? {};
  // The driver's own error is about one server only, so look at the errors of all servers.
  const causes = [...(servers?.values() ?? [])].map((server) => server.error?.cause);
  if (causes.some((one) => tlsCode.test(String((one as NodeJS.ErrnoException | undefined)?.code))))
    return fail(
      `TLS fails: ${message}`,
      'fix tlsCAFile and tlsCertificateKeyFile in MONGODB_URI, or the certificate of the server',
    );
  if (refusedUserCodes.includes((cause as NodeJS.ErrnoException).code))
    return fail(`rejects the user: ${message}`, 'fix user and password in MONGODB_URI');
  // The server may hang, or take hours to build an index. The driver cannot tell which.
  if ((cause as Error).name === 'MongoNetworkTimeoutError')
    return fail(
      `has not finished a command: ${message}`,
      'check that the database answers, then start again; an index build continues meanwhile',
    );
  // The driver drops every server that belongs to another replica set or to none.
  if (servers?.size === 0)
    return fail(
      'answers, but is not in the replica set that MONGODB_URI names',
      'fix replicaSet in MONGODB_URI; without a replica set, leave it out and name one server',
    );
  if (/wire version/i.test(message)) return fail(message, `use MongoDB ${oldestMongoDb}.0 or newer`);
  return fail(
    `does not answer: ${message}`,
    'start MongoDB there, open the network path to it, or fix MONGODB_URI',
  );
}

const unwritableFinding = (error: unknown): Finding =>
  about('database').fail(
    `cannot be written: ${messageWithCauses(error)}`,
    'name the primary, or the whole replica set, in MONGODB_URI, and give its user the role readWrite',
  );

const dataDirFinding = (message: string, dataDir: string): Finding =>
  about('database').fail(
    `DATA_DIR ${dataDir} cannot be used: ${message}`,
    'let this user write there, free space on its disk, or choose another DATA_DIR',
  );
