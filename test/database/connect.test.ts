import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { connect } from '../../src/database/connect.js';
import { parseSettings, type Settings } from '../../src/settings/settings.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';
import { type Proxy, proxyTo } from '../reliability/support/proxy.js';
import { openTestDatabase } from '../support/database.js';
import { startTestGateway } from '../support/gateway.js';
import { rest } from '../support/requests.js';
import { until } from '../support/until.js';
import { logInMemory } from '../support/log-in-memory.js';
import { updateJob } from '../support/updates.js';

describe('connecting to the database', () => {
  let database: SeverableDatabase;
  let settings: Settings;
  beforeEach(async () => {
    database = await openSeverableDatabase();
    settings = parseSettings({ MONGODB_URI: database.uri });
  });
  afterEach(() => database.close());

  describe('when the database does not answer at the start', () => {
    it('waits longer for the database than a request does', async () => {
      database.way.sever();
      const connecting = connect(settings);
      await sleep(2_500);
      database.way.restore();
      const opened = await connecting;
      expect((await opened.connection.db?.admin().ping())?.ok).toBe(1);
      await opened.close();
    });
  });

  describe('when the database goes away and comes back', () => {
    it('logs each change once, and failing tasks at most once a minute, without a stack (Contract 9.3.2)', async () => {
      const { log, parsed } = logInMemory();
      const environment = { ARCHIVE_EVERY: '1s', DATABASE_TIMEOUT: '1500ms' };
      const gateway = await startTestGateway(environment, {
        database: { ...database, close: async () => undefined },
        log,
      });
      const messagesAt = (level: number) =>
        parsed()
          .filter((line) => line.level === level)
          .map(({ msg }) => msg);
      database.way.sever();
      await until(() => messagesAt(40).some((msg) => /task/.test(String(msg))));
      // Without the limit, warnings would repeat every 1 to 2 s.
      await sleep(4_000);
      database.way.restore();
      await until(() => messagesAt(40).includes('the database is back'));
      await gateway.stop();
      const messages = messagesAt(40);
      expect(messages).toContain('the database is unavailable: calls are refused until it is back');
      expect(messages).toHaveLength(new Set(messages).size);
      expect(messagesAt(50)).toEqual([]);
      expect(parsed().filter((line) => 'err' in line)).toEqual([]);
    });
  });

  describe('when the database goes away', () => {
    it('fails an operation sooner than a start would give up (Contract 9.3.2)', async () => {
      const opened = await connect(settings);
      database.way.sever();
      await until(() => opened.awayReason() !== null);
      const ended = Promise.allSettled([opened.connection.db?.collection('jobs').findOne({})]);
      // An operation waits for 600 ms, a start for 5 s.
      expect(await Promise.race([ended, sleep(4_000)])).toMatchObject([{ status: 'rejected' }]);
      await opened.close();
    });
  });

  describe('with a MONGODB_URI that prefers secondaries', () => {
    it('reads from the primary anyway (Contract 6.2.2)', async () => {
      const opened = await connect(parseSettings({ MONGODB_URI: withReadPreference(database.uri) }));
      const modes = [opened.connection, opened.tasks].map(
        ({ db }) => db?.collection('history').readPreference?.mode,
      );
      await opened.close();
      expect(modes).toEqual(['primary', 'primary']);
    });
  });

  describe('when a reply is lost but the connection stays open', () => {
    it('times out, in tasks and commands too', async () => {
      const opened = await connect(settings);
      const bounds = [opened.connection, opened.tasks].map(
        (connection) => connection.getClient().options.socketTimeoutMS,
      );
      await opened.close();
      expect(Math.min(...bounds)).toBeGreaterThan(0);
    });
  });

  describe('when a command is written to a connection that has just ended', () => {
    it('fails at once (Contract 9.3.2)', async () => {
      const sockets: Socket[] = [];
      const keep = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
      subscribe('net.client.socket', keep);
      const opened = await connect({ ...settings, databasePoolSize: 1 });
      const probes = opened.connection.collection('probes');
      await probes.findOne({});
      unsubscribe('net.client.socket', keep);
      for (const socket of sockets) socket.destroy();
      const ended = Promise.allSettled([probes.insertOne({})]);
      expect(await Promise.race([ended, sleep(2_000)])).toMatchObject([{ status: 'rejected' }]);
      await opened.close();
    });
  });

  describe('when a heartbeat times out while a command is about to be written', () => {
    // How many promises settle before the driver closes the connection: it checks the connection at one of them, and writes later.
    const turns = Array.from({ length: 8 }, (_, index) => index);

    it('fails at once, whenever the driver closes the connection (Contract 9.3.2)', async () => {
      const opened = await connect(settings);
      const client = opened.connection.getClient();
      const probes = opened.connection.collection('probes');
      const ends: string[] = [];
      for (const turn of turns) {
        await until(() =>
          probes.findOne({}).then(
            () => true,
            () => false,
          ),
        );
        client.once('connectionCheckedOut', () => void closeAfter(turn, client));
        const ended = probes.insertOne({}).then(
          () => 'fulfilled',
          () => 'rejected',
        );
        ends.push(await Promise.race([ended, sleep(2_000, 'waiting')]));
      }
      await opened.close();
      expect(ends).toEqual(turns.map(() => 'rejected'));
    });
  });

  describe('when one of the two connections cannot be made', () => {
    it('closes the other connection', async () => {
      const left = () => mongoose.connections.filter(({ readyState }) => Number(readyState) !== 0).length;
      const before = left();
      await expect(connect({ ...settings, databasePoolSize: -1 })).rejects.toThrow(/maxPoolSize/);
      expect(left()).toBe(before);
    });
  });

  /** Closes the connections in use, as the driver does when a heartbeat times out. */
  async function closeAfter(turns: number, client: MongoClient): Promise<void> {
    const { topology } = client as unknown as {
      topology: { s: { servers: Map<string, { pool: { clear(options: object): void } }> } };
    };
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    for (const { pool } of topology.s.servers.values()) pool.clear({ interruptInUseConnections: true });
  }

  function withReadPreference(uri: string): string {
    const url = new URL(uri);
    url.searchParams.set('readPreference', 'secondaryPreferred');
    return url.href;
  }
});

describe('database that is far away (Contract 9.3.2)', () => {
  let proxy: Proxy;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;

  beforeEach(async () => {
    const direct = await openTestDatabase();
    const { hostname, port, host } = new URL(direct.uri.replace('mongodb:', 'http:'));
    proxy = await proxyTo({ host: hostname, port: Number(port) });
    const uri = new URL(direct.uri.replace(host, `127.0.0.1:${proxy.port}`));
    uri.searchParams.set('directConnection', 'true');
    database = { ...direct, uri: uri.href };
  });
  afterEach(() => proxy.close());

  it('an update on an idle gateway takes three round trips', async () => {
    const gateway = await startTestGateway({ ARCHIVER: 'off', DATABASE_TIMEOUT: '9s' }, { database });
    const token = await gateway.token();
    const update = (salary: string) => updateJob(gateway, { salary, contract: 'permanent' }, { token });
    await update('first');
    const roundTripMs = 300;
    proxy.delay(roundTripMs);
    let ms = Infinity;
    for (let tries = 0; tries < 10 && ms >= 4 * roundTripMs; tries += 1) {
      // A busy machine can take longer, so try several times. The sleep makes cached media and references stale.
      await sleep(1_500);
      const startedMs = performance.now();
      expect((await update(`try ${tries}`)).status).toBe(200);
      ms = performance.now() - startedMs;
    }
    proxy.delay(0);
    await gateway.stop();
    expect(ms).toBeGreaterThan(3 * roundTripMs);
    expect(ms).toBeLessThan(4 * roundTripMs);
  });

  it('with a round trip of 500 ms, a gateway is ready within 60 s', async () => {
    proxy.delay(500);
    const startedMs = performance.now();
    const gateway = await startTestGateway({ DATABASE_TIMEOUT: '5s' }, { database });
    const { status } = await fetch(`${gateway.url}/ready`);
    const ms = performance.now() - startedMs;
    proxy.delay(0);
    await gateway.stop();
    expect(status).toBe(200);
    expect(ms).toBeLessThan(60_000);
  });

  it.each([
    { roundTripMs: 800, timeout: '1500ms', reason: 'the database did not answer a heartbeat within 700 ms' },
    { roundTripMs: 500, timeout: '300ms', reason: 'the database did not answer within 300 ms' },
  ])('is logged as slow, not as away: $reason (Contract 9.3.2)', async ({ roundTripMs, timeout, reason }) => {
    const { log, parsed } = logInMemory();
    const environment = { ARCHIVER: 'off', DATABASE_TIMEOUT: timeout };
    const gateway = await startTestGateway(environment, { database, log });
    // Several callers: the quota of one caller is counted by one command, on one connection.
    const tokens = await Promise.all(['a', 'b', 'c'].map((sub) => gateway.token({ sub })));
    proxy.delay(roundTripMs);
    let mostWaiting = 0;
    await until(async () => {
      const reads = Promise.all(
        tokens.map((token) => rest(gateway, 'GET', '/jobs/acme-backend-engineer', undefined, { token })),
      );
      await sleep(50);
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      const [, waiting = 0] = /^gateway_database_waiting\{pool="requests"\} (\d+)$/m.exec(metrics) ?? [];
      mostWaiting = Math.max(mostWaiting, Number(waiting));
      await reads;
      return mostWaiting > 0 && parsed().some((line) => line.reason === reason);
    });
    proxy.delay(0);
    await until(async () => (await fetch(`${gateway.url}/ready`)).status === 200);
    await gateway.stop();
    const reasons = parsed().flatMap((line) => ('reason' in line ? [line.reason] : []));
    expect(reasons.filter((each) => !/^(the|no) .* within \d+ ms$/.test(String(each)))).toEqual([]);
  });

  it('fails an operation that gets no connection within DATABASE_TIMEOUT', async () => {
    const opened = await connect(
      parseSettings({ MONGODB_URI: database.uri, DATABASE_TIMEOUT: '900ms', DATABASE_POOL_SIZE: '1' }),
    );
    // Each operation takes 400 ms, so the fourth would wait for 1 200 ms.
    proxy.delay(400);
    const { db } = opened.connection;
    const done = await Promise.allSettled(
      [1, 2, 3, 4, 5].map(async () => db?.collection('jobs').findOne({})),
    );
    proxy.delay(0);
    await opened.close();
    await database.close();
    expect(done.map((each) => (each.status === 'rejected' ? (each.reason as Error).name : null))).toContain(
      'MongoWaitQueueTimeoutError',
    );
  });

  it('can be connected to even if connecting takes longer than DATABASE_TIMEOUT', async () => {
    proxy.delay(300);
    const opened = await connect(parseSettings({ MONGODB_URI: database.uri, DATABASE_TIMEOUT: '100ms' }));
    expect(opened.awayReason()).toBeNull();
    proxy.delay(0);
    await opened.close();
    await database.close();
  });

  it('can be seeded even if building an index takes longer than DATABASE_TIMEOUT', async () => {
    proxy.delay(150);
    const result = await runSeedCommand([], { MONGODB_URI: database.uri, DATABASE_TIMEOUT: '100ms' });
    expect(result).toMatchObject({ exitCode: 0 });
    proxy.delay(0);
    await database.close();
  });
});
