const isDuplicate = ({ code }) => code === 11_000;

/** Counts the calls of the current second as the gateway's limiter does. */
export const quotaOf = (quotas) => async (key) => {
  const expire = new Date(Date.now() + 1_000);
  const isRunning = { $gt: new Date() };
  try {
    return await quotas.findOneAndUpdate(
      { $or: [{ expire: isRunning }, { expire: null }], key },
      { $setOnInsert: { key, expire }, $inc: { points: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return quotas.findOneAndUpdate({ key }, { $set: { points: 1, expire } }, { returnDocument: 'after' });
  }
};
