import { expect, it } from '@jest/globals';
import { clientAddress } from '../../src/http/server.js';

const from = (ip: string | undefined, remoteAddress: string | undefined = '10.0.0.1') =>
  clientAddress({ ip, socket: { remoteAddress } } as Parameters<typeof clientAddress>[0]);

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
])('the address of a caller at %s is %s', (ip, address) => {
  expect(from(ip)).toBe(address);
});

it.each([
  ...['', 'unknown', '_hidden', '192.0.2.256', '192.0.2.1:', 'not an address:80', 'a[::1]', '[]:1', '[x]'],
])('a caller at %p has the address of its connection', (ip) => {
  expect(from(ip)).toBe('10.0.0.1');
});

it('a caller whose connection is closed has no address', () => {
  expect(clientAddress({ ip: undefined, socket: {} } as never)).toBe('');
});
