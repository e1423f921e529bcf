import { MAX_DOCUMENT_BYTES } from '../storage/collection.js';
import { type Command } from './command.js';

/** MongoDB's limit. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/** MongoDB 7.0. */
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
    // Without this field, drivers can't start the session that every command needs.
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
    // The doctor recognises the store by this value.
    storageEngines: ['built-in'],
  }),
};

const nothing: Command = { options: '', run: () => ({}) };

/** A driver sends `ismaster` before it knows that the server has `hello`. */
export const connectionCommands = {
  hello,
  ismaster: hello,
  buildInfo,
  ping: nothing,
  endSessions: nothing,
};
