import { resolve, sep } from 'node:path';
import { MongoNetworkTimeoutError, type TopologyDescription } from 'mongodb';
import { KeyFileError } from '../access/key-file.js';
import { ConnectError, MongodbUriError } from '../database/connect.js';
import { RecordFormatError } from '../database/record-format.js';
import { isDatabaseAway } from '../errors/mask-error.js';
import { messageOf } from '../errors/message-of.js';
import { TrustedDocumentsError } from '../graphql/trusted/trusted-documents.js';
import { SettingsError, type Settings } from '../settings.js';
import { about, type Finding } from './finding.js';

/** The oldest MongoDB whose behaviour the gateway is built on. */
export const oldestMongoDb = 7;
export const mendKeyFile =
  'JWT_KEY_FILE names a JSON Web Key Set, readable by the gateway’s user, whose first key is private; npm run key makes one';

const folderCodes = 'EACCES EPERM EROFS ENOTDIR EEXIST ENOENT ENAMETOOLONG ENOSPC EDQUOT'.split(' ');
/** MongoDB's codes for a duplicate key and for an index that is there in another form. */
const indexCodes: unknown[] = [11_000, 85, 86];
const unauthorizedCode = 13;
/** Its codes for a user, a password or a mechanism that it does not take; the last one is that of its hosting service. */
const refusedUserCodes: unknown[] = [18, 334, 8_000];
/** Codes of Node.js and of OpenSSL for a certificate or a key. */
const tlsCode = /^ERR_(?:TLS|SSL|OSSL)_|CERT|LEAF_SIGNATURE/;

/**
 * Why the gateway does not start, if a person can mend that (Contract 11.3.2); empty for a fault that needs its stack.
 * @param settings undefined if they could not be read
 */
export function startFaults(error: unknown, settings: Settings | undefined): Finding[] {
  if (error instanceof SettingsError) return settingsFaults(error);
  if (error instanceof KeyFileError) return [about('keys').fail(error.message, mendKeyFile)];
  if (error instanceof TrustedDocumentsError) return trustedFaults(error);
  if (error instanceof RecordFormatError) return [formatFault(error)];
  if (!(error instanceof Error) || settings === undefined) return [];
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (error instanceof ConnectError) return [connectFault(error, settings)];
  if (isDatabaseAway(error))
    return [connectFault(new ConnectError(error.message, { cause: error }), settings)];
  if (syscall === 'listen' || syscall === 'getaddrinfo') return [listenFault(error, settings)];
  if (folderCodes.includes(String(code)) && path !== undefined && isOnWay(path, settings.dataDir))
    return [dataDirFault(error.message, settings.dataDir)];
  if (indexCodes.includes(code))
    return [about('indexes').fail(error.message, 'the doctor names what stands in the way')];
  if ((code as unknown) === unauthorizedCode) return [rightsFault(error)];
  return [];
}

/** Whether the path is in the folder or leads to it. */
const isOnWay = (path: string, folder: string): boolean => {
  const [one, other] = [resolve(path) + sep, resolve(folder) + sep];
  return one.startsWith(other) || other.startsWith(one);
};

/** One finding for each variable that cannot be read. */
const settingsFaults = (error: SettingsError): Finding[] =>
  error.message
    .split('\n')
    .map((fault) => about('settings').fail(fault, 'see Settings in the README; the rest waits for this'));

/** One finding for each fault of the file of trusted documents. */
const trustedFaults = ({ faults }: TrustedDocumentsError): Finding[] =>
  faults.map((fault) =>
    about('trusted').fail(
      fault,
      'TRUSTED_DOCUMENTS names the file that codegen’s client preset emits as persistedDocuments, with sha256, for this schema',
    ),
  );

/** The reason why the gateway cannot listen on its address. */
export function listenFault(error: NodeJS.ErrnoException, { host, port }: Settings): Finding {
  const { fail } = about('port');
  const place = `port ${port} of ${host}`;
  const { code } = error;
  if (code === 'EADDRINUSE')
    return fail(`${place} is in use by another program`, 'stop that program, or choose another PORT');
  if (code === 'EACCES') return fail(`${place} is not open to this user`, 'choose a PORT of 1024 or more');
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fail(
      `${host} is no address of this machine`,
      'mend HOST, without brackets where it is IPv6; 0.0.0.0 is every address',
    );
  return fail(`${place}: ${messageOf(error)}`, 'mend HOST and PORT');
}

/** The reason why the database cannot be opened or reached. */
function connectFault(error: ConnectError, { mongodbUri, dataDir }: Settings): Finding {
  const { fail } = about('database');
  const { cause } = error;
  const message = messageOf(cause);
  if (error.isCausedBy('DamagedStoreError'))
    return fail(
      `the built-in store in ${dataDir} is damaged`,
      'put back a copy of the folder that was made while the gateway was stopped, or move its data.mdb away and import an export',
    );
  const tooSlow = `the built-in store in ${dataDir} is too slow: ${message}`;
  const mendLoad = 'start again while disk and processor have less to do';
  if (error.isCausedBy('SlowStoreError')) return fail(tooSlow, mendLoad);
  if (error.isCausedBy('FolderInUseError'))
    return fail(`the folder ${dataDir} is in use by another process`, 'stop it, or choose another DATA_DIR');
  if (mongodbUri === undefined)
    return cause instanceof MongoNetworkTimeoutError
      ? fail(tooSlow, `${mendLoad}, or raise DATABASE_TIMEOUT`)
      : dataDirFault(message, dataDir);
  if (cause instanceof MongodbUriError) return fail(message, cause.mend);
  if ((cause as NodeJS.ErrnoException).path !== undefined)
    return fail(`MONGODB_URI names a file: ${message}`, 'let this user read that file, or name another one');
  const { servers } = (cause as { reason?: Partial<TopologyDescription> }).reason ?? {};
  // The driver's own error has the message of one server only.
  const causes = [...(servers?.values() ?? [])].map((server) => server.error?.cause);
  if (causes.some((one) => tlsCode.test(String((one as NodeJS.ErrnoException | undefined)?.code))))
    return fail(
      `no TLS with it: ${message}`,
      'mend tlsCAFile and tlsCertificateKeyFile in MONGODB_URI, or the certificate of the server',
    );
  if (refusedUserCodes.includes((cause as NodeJS.ErrnoException).code))
    return fail(`refuses the user: ${message}`, 'mend user and password in MONGODB_URI');
  // The server may build an index for hours, or may be silent: the driver cannot tell.
  if ((cause as Error).name === 'MongoNetworkTimeoutError')
    return fail(
      `does not end a command: ${message}`,
      'see whether it answers, and start again: if it builds an index, it goes on with that',
    );
  // The driver takes out of its list each server that answers as one of another replica set, or of none.
  if (servers?.size === 0)
    return fail(
      'answers, but not as one of the replica set that MONGODB_URI means',
      'mend replicaSet in it, or name one server without it where there is no replica set',
    );
  if (/wire version/i.test(message)) return fail(message, `use MongoDB ${oldestMongoDb}.0 or newer`);
  return fail(
    `does not answer: ${message}`,
    'start MongoDB there, let this machine through to it, or mend MONGODB_URI',
  );
}

/** A newer version has written to the database. */
export const formatFault = ({ message }: RecordFormatError): Finding =>
  about('database').fail(
    message,
    'start the newer version, or restore a back-up from before its first start',
  );

/** The database lets the gateway in, and refuses a command. */
export const rightsFault = (error: unknown): Finding =>
  about('database').fail(
    `cannot be written: ${messageOf(error)}`,
    'name the primary, or the whole replica set, in MONGODB_URI, and give its user the role readWrite',
  );

const dataDirFault = (message: string, dataDir: string): Finding =>
  about('database').fail(
    `DATA_DIR ${dataDir} cannot be used: ${message}`,
    'let this user write there, free space on its disk, or choose another DATA_DIR',
  );
