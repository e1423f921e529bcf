import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { type Quota } from '../setting-parsers.js';

export type FailureLimiter = ReturnType<typeof createFailureLimiter>;

const mostCallers = 50_000;

/**
 * Counts failed authentications by address, and calls beyond a caller's authority by its subject (Contract 8.3). Only
 * failures are counted, so a valid token is never refused for its address. Each process counts for itself: that is
 * enough against guessing and noise, and a refused stranger costs no write to the database.
 *
 * An IPv6 address counts as its /64, since whoever has one address of a /64 has all of them. At most 50,000 callers
 * are counted apart at a time; any more share one count.
 */
export function createFailureLimiter({ limit, durationSeconds }: Quota) {
  // Every window lasts equally long, so the order of insertion is the order in which they end.
  const windows = new Map<string, { endsAtMs: number; failures: number }>();

  return {
    /** Counts one failure. Answers null while the quota lasts, then the whole seconds until its window ends. */
    consume: (of: { address: string | undefined } | { subject: string }): number | null => {
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

/** The port that some proxies add to a caller's address in `X-Forwarded-For`, and the brackets of an IPv6 one. */
const port = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * An IPv4 address, also one written as IPv6, has a bucket of its own. An IPv6 address shares that of its first 64
 * bits. Whatever is no address shares one bucket.
 */
function addressBucket(address = ''): string {
  // Not every zone that Node.js takes is one to ipaddr.js, which throws.
  const [plain = ''] = address.replace(port, '$1$2').split('%');
  const version = isIP(plain);
  if (version !== 6) return version === 4 ? plain : 'unknown';
  const parsed = ipaddr.process(plain);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
