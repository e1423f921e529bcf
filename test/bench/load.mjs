import autocannon from 'autocannon';

/** Sends `amount` requests. Returns the processor times per request, the throughput and the latencies. */
export async function drive(server, { next, status, amount, connections }) {
  const before = server.processorMs();
  const startedMs = performance.now();
  let repliedMs;
  const run = autocannon({
    url: server.url,
    connections,
    amount: Math.max(amount, connections),
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
    timeout: 30,
    // After so many requests on a connection, the gateway closes it.
    reconnectRate: 1_000,
    // A GraphQL reply with errors has status 200 too.
    verifyBody: (body) => status !== 200 || !body.includes('"errors":['),
  });
  // A run ends with a whole second, so its own duration is too long.
  run.on('response', () => (repliedMs = performance.now()));
  const result = await run;
  const after = server.processorMs();
  const { statusCodeStats, latency, requests } = result;
  const statuses = Object.keys(statusCodeStats);
  if (result.errors > 0 || result.mismatches > 0 || statuses.length !== 1 || statuses[0] !== String(status))
    throw new Error(
      `expected ${status} alone, not ${JSON.stringify(statusCodeStats)}, ${result.errors} failures and ${result.mismatches} answers with errors`,
    );
  const { total } = requests;
  const serverMs = (after.server - before.server) / total;
  const databaseMs = (after.database - before.database) / total;
  return {
    serverMs,
    databaseMs,
    sumMs: serverMs + databaseMs,
    perSecond: (total / (repliedMs - startedMs)) * 1_000,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

const figures = ['serverMs', 'databaseMs', 'sumMs', 'perSecond', 'p50Ms', 'p99Ms'];

/**
 * Every round runs all sides in turn, so that other load affects them alike. The direction alternates.
 * @param sides the first is the gateway
 * @returns for each side the median and the range of each figure, and of the gateway's figure divided by the side's in the same round
 */
export async function compare(sides, rounds) {
  const runs = [];
  for (let round = 0; round < rounds; round += 1) {
    const run = new Map();
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      run.set(side, await drive(side.server, side));
    runs.push(run);
  }
  const [gateway] = sides;
  const summaries = (of) =>
    Object.fromEntries(figures.map((figure) => [figure, summary(runs.map((run) => of(run, figure)))]));
  return sides.map((side) => ({
    side: side.name,
    ...summaries((run, figure) => run.get(side)[figure]),
    gatewayToSide: summaries((run, figure) => run.get(gateway)[figure] / run.get(side)[figure]),
  }));
}

export function summary(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}
