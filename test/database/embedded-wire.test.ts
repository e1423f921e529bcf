import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deserialize, serialize } from 'bson';
import { type Document, MongoClient } from 'mongodb';
import { type EmbeddedStore } from '../../src/database/embedded/server.js';
import { startMemoryStore } from '../support/memory-store.js';

let store: EmbeddedStore;

beforeAll(async () => {
  store = await startMemoryStore();
});

afterAll(async () => {
  await store.close();
});

describe('wire protocol of the built-in store', () => {
  it.each([
    ['a length shorter than the header', header(4, 2013)],
    ['a negative length', header(-1, 2013)],
    ['a length above 48 MB', header(48_000_001, 2013)],
    ['an unknown opcode', Buffer.concat([header(20, 9999), Buffer.alloc(4)])],
    ['a message without sections', Buffer.concat([header(20, 2013), Buffer.alloc(4)])],
    [
      'an unknown section',
      Buffer.concat([header(26, 2013), Buffer.alloc(4), Buffer.from([7, 5, 0, 0, 0, 0])]),
    ],
    [
      'a section longer than the message',
      Buffer.concat([header(26, 2013), Buffer.alloc(4), Buffer.from([0, 99, 0, 0, 0, 0])]),
    ],
    [
      'a body that is not BSON',
      Buffer.concat([header(29, 2013), Buffer.alloc(4), Buffer.from([0, 8, 0, 0, 0, 99, 0, 0, 0])]),
    ],
    ['a legacy query cut short', Buffer.concat([header(20, 2004), Buffer.alloc(4)])],
  ])('closes the connection on %s, and serves other connections', async (_name, bytes) => {
    const socket = await open();
    const closed = once(socket, 'close');
    socket.write(bytes);
    await closed;
    const other = await open();
    other.write(message(ping()));
    expect(await answer(other)).toMatchObject({ ok: 1 });
    other.destroy();
  });

  it('accepts a message in pieces, and answers several messages in order', async () => {
    const socket = await open();
    for (const byte of message(ping())) socket.write(Buffer.from([byte]));
    expect(await answer(socket)).toMatchObject({ ok: 1 });
    const several = [serialize({ foo: 1, $db: 'd' }), ping()].map(message);
    const replies: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => replies.push(chunk));
    socket.write(Buffer.concat(several));
    while (Buffer.concat(replies).length < 100) await once(socket, 'data');
    const all = Buffer.concat(replies);
    expect(deserialize(all.subarray(21, all.readInt32LE(0)))).toMatchObject({ ok: 0, code: 115 });
    socket.destroy();
  });

  it('stops reading from a client that does not read its replies', async () => {
    const client = await new MongoClient(store.uri).connect();
    const [large, told] = ['unread', 'told'].map((name) => client.db('d').collection<Document>(name));
    await large?.insertOne({ text: 'x'.repeat(15_000_000) });
    const socket = (await open()).pause();
    const find = message(serialize({ find: 'unread', $db: 'd' }));
    const insert = message(serialize({ insert: 'told', documents: [{ _id: 1 }], $db: 'd' }));
    socket.write(Buffer.concat([find, find, insert]));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await told?.find().toArray()).toEqual([]);
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.resume();
    while (received < 30_000_100) await once(socket, 'data');
    expect(await told?.find().toArray()).toEqual([{ _id: 1 }]);
    socket.destroy();
    await client.close();
  });

  it('limits the size of batches and documents', async () => {
    const client = await new MongoClient(store.uri, { monitorCommands: true }).connect();
    const docs = client.db('d').collection<Document>('large');
    for (let serial = 0; serial < 5; serial++) await docs.insertOne({ text: 'x'.repeat(6_000_000) });
    const sizes: number[] = [];
    client.on('commandSucceeded', ({ reply }) => {
      const { cursor } = reply as { cursor?: { firstBatch?: unknown[]; nextBatch?: unknown[] } };
      sizes.push((cursor?.firstBatch ?? cursor?.nextBatch ?? []).length);
    });
    expect(await docs.find().toArray()).toHaveLength(5);
    expect(sizes).toEqual([2, 2, 1]);
    await expect(docs.updateMany({}, { $set: { more: 'x'.repeat(11_000_000) } })).rejects.toMatchObject({
      code: 10334,
    });
    await client.close();
  });
});

function header(length: number, kind: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32LE(length, 0);
  bytes.writeInt32LE(1, 4);
  bytes.writeInt32LE(kind, 12);
  return bytes;
}

function ping(): Uint8Array {
  return serialize({ ping: 1, $db: 'd' });
}

function message(body: Uint8Array): Buffer {
  return Buffer.concat([header(21 + body.length, 2013), Buffer.alloc(5), body]);
}

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(store.uri).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function answer(socket: Socket): Promise<Document> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return deserialize(bytes.subarray(21));
}
