import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createFailureLimiter } from '../../src/quotas/failure-limiter.js';

function shareQuota(one: string, other: string): boolean {
  const limiter = createFailureLimiter({ limit: 1, durationSeconds: 60 });
  limiter.consume({ address: one });
  return limiter.consume({ address: other }) !== null;
}

afterEach(() => void jest.useRealTimers());

describe('the limiter of failed authentications (Contract 8.1.3)', () => {
  it('accepts failures again only once the window has ended', () => {
    jest.useFakeTimers();
    const limiter = createFailureLimiter({ limit: 1, durationSeconds: 2 });
    expect(limiter.consume({ address: '192.0.2.1' })).toBeNull();
    expect(limiter.consume({ address: '192.0.2.1' })).toBe(2);
    jest.advanceTimersByTime(1_999);
    expect(limiter.consume({ address: '192.0.2.1' })).toBe(1);
    jest.advanceTimersByTime(1);
    expect(limiter.consume({ address: '192.0.2.1' })).toBeNull();
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0000:0000:0000:0001', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8:1:2::1', '2002:db8:1:2::1', false],
    ['2001:db8:1:23::1', '2001:db8:12:3::1', false],
    ['2001:db8:1:17::1', '2001:db8:c:3::1', false],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:7:8:9:a', true],
    ['2001::2:3:4:5:6', '2001::3:3:4:5:6', false],
    ['::1', '::2', true],
    ['fe80::1%eth0', 'fe80::2', true],
    // Node.js accepts these zones, ipaddr.js rejects them.
    ['fe80::1%eth0.100', 'fe80::2', true],
    ['fe80::1%br-1', 'fe80::2', true],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '::ffff:c000:201', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
    // Not addresses.
    ['unix', '', true],
  ])('whether %s and %s share a quota: %s', (one, other, isShared) => {
    expect(shareQuota(one, other)).toBe(isShared);
    expect(shareQuota(other, one)).toBe(isShared);
  });

  it('counts all addresses after the first 50,000 together', () => {
    const limiter = createFailureLimiter({ limit: 1, durationSeconds: 60 });
    const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    for (let index = 0; index < 50_000; index++) limiter.consume({ address: address(index) });
    expect(limiter.consume({ address: address(50_000) })).toBeNull();
    expect(limiter.consume({ address: address(50_001) })).not.toBeNull();
  });
});
