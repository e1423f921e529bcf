import { isIP } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Quota } from '../setting-parsers.js';

export interface FailureLimiter {
  /** Counts one failure. Answers null while the quota lasts, then the whole seconds until its window ends. */
  consume(of: { address: string } | { subject: string }): Promise<number | null>;
}

const mostCallers = 50_000;

/**
 * Counts failed authentications by address, and calls beyond a caller's authority by its subject (Contract 8.3). Only
 * failures are counted, so a valid token is never refused for its address. Each process counts for itself: that is
 * enough against guessing and noise, and a refused stranger costs no write to the database.
 *
 * An IPv6 address counts as its /64, since whoever has one address of a /64 has all of them. At most 50,000 callers
 * are counted apart at a time; any more share one count.
 */
export function createFailureLimiter({ limit, durationSeconds }: Quota): FailureLimiter {
  const limiter = new RateLimiterMemory({ points: limit, duration: durationSeconds });
  // Every window lasts equally long, so the order of insertion is the order in which they end.
  const windowEnds = new Map<string, number>();

  function countedAs(bucket: string): string {
    const nowMs = performance.now();
    for (const [oldest, endsAtMs] of windowEnds) {
      if (endsAtMs > nowMs) break;
      windowEnds.delete(oldest);
    }
    if (windowEnds.has(bucket)) return bucket;
    if (windowEnds.size >= mostCallers) return 'shared';
    windowEnds.set(bucket, nowMs + durationSeconds * 1_000);
    return bucket;
  }

  return {
    async consume(of) {
      try {
        const bucket = 'subject' in of ? `subject ${of.subject}` : addressBucket(of.address);
        await limiter.consume(countedAs(bucket));
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
        throw refusal;
      }
    },
  };
}

/**
 * An IPv4 address, also one written as IPv6, has a bucket of its own. An IPv6 address shares that of its first 64
 * bits. Whatever is no address shares one bucket.
 */
function addressBucket(address: string): string {
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  if (version === 4) return plain;
  if (version === 0) return 'unknown';
  const groups = ipv6Groups(plain);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.slice(0, 4).join(':');
  return groups
    .slice(6)
    .map((group) => parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.');
}

/** The eight groups of a valid IPv6 address; URL writes every spelling of it the same way. */
function ipv6Groups(address: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}
