import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { type Quota } from '../settings/setting-parsers.js';

export type FailureLimiter = ReturnType<typeof createFailureLimiter>;

const mostCallers = 50_000;

/**
 * Counts failed authentications per address, and forbidden calls per subject. Each process counts for itself, in memory:
 * rejecting a stranger costs no database write. Successful calls are not counted. Addresses and subjects beyond 50,000 share one count.
 */
export function createFailureLimiter({ limit, durationSeconds }: Quota) {
  // All windows are equally long, so the window of the map's oldest entry ends first.
  const windows = new Map<string, { endsAtMs: number; failures: number }>();

  return {
    /** Null within the quota, otherwise the whole seconds until the window ends. */
    consume: (of: { address: string } | { subject: string }): number | null => {
      const nowMs = performance.now();
      for (const [oldest, { endsAtMs }] of windows) {
        if (endsAtMs > nowMs) break;
        windows.delete(oldest);
      }
      const own = 'subject' in of ? `subject ${of.subject}` : addressBucket(of.address);
      const bucket = windows.has(own) || windows.size < mostCallers ? own : 'shared';
      const window = windows.get(bucket) ?? { endsAtMs: nowMs + durationSeconds * 1_000, failures: 0 };
      windows.set(bucket, window);
      window.failures += 1;
      return window.failures <= limit ? null : Math.ceil((window.endsAtMs - nowMs) / 1_000);
    },
  };
}

/**
 * Each IPv4 address has its own bucket, even if written as IPv6. An IPv6 /64 shares one bucket, because one customer usually holds the
 * whole /64.
 */
function addressBucket(address: string): string {
  // ipaddr.js throws on some zones that Node.js accepts.
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  if (version !== 6) return version === 4 ? plain : 'unknown';
  const parsed = ipaddr.process(plain);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
