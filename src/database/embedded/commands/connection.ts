import { MAX_DOCUMENT_BYTES } from '../storage/collection.js';
import { type Command } from './command.js';

/** The maximum size of a message, in bytes. MongoDB has the same limit. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/** The wire version of MongoDB 7.0, the newest version that the store imitates. */
const MAX_WIRE_VERSION = 21;

/** Answers like a standalone server: drivers then use neither transactions nor retryable writes. */
const hello: Command = {
  options:
    'helloOk client compression hostInfo topologyVersion maxAwaitTimeMS loadBalanced saslSupportedMechs speculativeAuthenticate backpressure',
  run: () => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    // Drivers need a session for every command, and can't start one without this field.
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: MAX_WIRE_VERSION,
    readOnly: false,
  }),
};

const buildInfo: Command = {
  options: '',
  run: () => ({
    version: '7.0.0',
    versionArray: [7, 0, 0, 0],
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    // The doctor recognises the store by this value: the store acknowledges a write only once the write is on the disk.
    storageEngines: ['built-in'],
  }),
};

const nothing: Command = { options: '', run: () => ({}) };

/** Commands about the connection. A driver sends `ismaster` before it knows that the server has `hello`. */
export const connectionCommands = {
  hello,
  ismaster: hello,
  buildInfo,
  ping: nothing,
  endSessions: nothing,
};
