import autocannon from 'autocannon';

/** Sends `amount` requests. Returns the processor time per request, the throughput and the latencies. */
export async function drive(server, { next, status, amount, connections }) {
  const before = server.cpuMs();
  const result = await autocannon({
    url: server.url,
    connections,
    amount: Math.max(amount, connections),
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
    timeout: 30,
    // A GraphQL reply with errors has status 200 too.
    verifyBody: (body) => status !== 200 || !body.includes('"errors":['),
  });
  const cpuMs = server.cpuMs() - before;
  const { statusCodeStats, latency, requests, duration } = result;
  const statuses = Object.keys(statusCodeStats);
  if (result.errors > 0 || result.mismatches > 0 || statuses.length !== 1 || statuses[0] !== String(status))
    throw new Error(
      `expected ${status} alone, not ${JSON.stringify(statusCodeStats)}, ${result.errors} failures and ${result.mismatches} answers with errors`,
    );
  const { total } = requests;
  return {
    cpuMs: cpuMs / total,
    perSecond: total / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

export const figures = ['cpuMs', 'perSecond', 'p50Ms', 'p99Ms'];

/**
 * Alternates which side goes first, so that other load affects both alike.
 * @returns the median and the range of each figure, for both sides and for the ratio of each pair
 */
export async function compare(one, other, pairs) {
  const runs = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const order = pair % 2 === 0 ? ['one', 'other'] : ['other', 'one'];
    const run = {};
    for (const side of order) run[side] = await drive(...{ one, other }[side]);
    runs.push(run);
  }
  const summaries = figures.map((figure) => [
    figure,
    {
      gateway: summary(runs.map((run) => run.one[figure])),
      floor: summary(runs.map((run) => run.other[figure])),
      ratio: summary(runs.map((run) => run.one[figure] / run.other[figure])),
    },
  ]);
  return Object.fromEntries(summaries);
}

export function summary(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}
