import { MAX_DOCUMENT_BYTES } from '../storage/collection.js';
import { type Command } from './command.js';

/** What a message may weigh. MongoDB's own limit. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/** The wire protocol of MongoDB 7.0, the newest version whose commands are answered as it does. */
const MAX_WIRE_VERSION = 21;

/** Answers as a standalone server, with which drivers use neither transactions nor retryable writes. */
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
    // Without it drivers refuse to start a session, which they need for every command.
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
    // The doctor tells by it that a write is answered when it is on the disk.
    storageEngines: ['built-in'],
  }),
};

const nothing: Command = { options: '', run: () => ({}) };

/** What clients ask of the connection itself. A driver says `ismaster` before it knows that the server has `hello`. */
export const connectionCommands = {
  hello,
  ismaster: hello,
  buildInfo,
  ping: nothing,
  endSessions: nothing,
};
