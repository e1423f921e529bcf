import { type Connection } from 'mongoose';

/** Whether the database refuses a unique index over two records with one key. DocumentDB reports success, and builds none. */
export async function refusesTwins(connection: Connection): Promise<boolean> {
  const twins = connection.collection('twins');
  await twins.insertMany([{ key: 1 }, { key: 1 }]);
  return twins.createIndex({ key: 1 }, { unique: true }).then(
    () => false,
    () => true,
  );
}
