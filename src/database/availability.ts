import { type MongoClient } from 'mongodb';

/**
 * Whether the database is known to be away: no server takes writes, and a heartbeat has failed. A connection that merely broke is
 * not enough. The function that is returned answers at once, without asking the database.
 */
export function watchAvailability(client: MongoClient): () => boolean {
  const silent = new Set<string>();
  let isWritable = true;
  client.on('serverHeartbeatFailed', ({ connectionId }) => silent.add(connectionId));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => silent.delete(connectionId));
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    isWritable = [...servers.values()].some((server) => server.isWritable);
    // A server that left a replica set sends no more heartbeats.
    for (const address of silent) if (!servers.has(address)) silent.delete(address);
  });
  return () => !isWritable && silent.size > 0;
}
