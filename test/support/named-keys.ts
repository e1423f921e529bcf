import { afterAll, beforeAll, expect } from '@jest/globals';
import { type CommandStartedEvent } from 'mongodb';
import { mongo } from 'mongoose';
import { unnamedIn } from './shard-keys.js';

/** The heartbeat of the clients that gateways and commands open. A test's own clients have the driver's default. */
const heartbeatMs = 500;

const { prototype } = mongo.MongoClient;
const connect = Reflect.get(prototype, 'connect');
const unnamed = new Set<string>();

beforeAll(() => {
  prototype.connect = function (this: mongo.MongoClient) {
    if (this.options.heartbeatFrequencyMS === heartbeatMs) {
      Object.assign(this, { monitorCommands: true });
      this.on('commandStarted', ({ command }: CommandStartedEvent) => {
        for (const each of unnamedIn(command)) unnamed.add(each);
      });
    }
    return connect.call(this);
  };
});

// A test file fails if the code has sent a command that a sharded database could not send to one shard.
afterAll(() => {
  prototype.connect = connect;
  expect([...unnamed]).toEqual([]);
});
