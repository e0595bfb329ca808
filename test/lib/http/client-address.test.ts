import { describe, expect, test } from 'vitest';
import { clientAddress, ipPrefix } from '../../../src/lib/http/client-address.ts';

describe('the client is the left-most of the entries that trusted proxies wrote', () => {
  test.each([
    // [X-Forwarded-For, trusted hops, client]
    ['203.0.113.7', 1, '203.0.113.7'],
    ['203.0.113.7:51234', 1, '203.0.113.7'],
    [' 203.0.113.7:51234 ', 1, '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7:51234', 1, '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7, 192.0.2.9:443', 2, '203.0.113.7'],
    ['198.51.100.1,203.0.113.7,192.0.2.9', 3, '198.51.100.1'],
    ['2001:db8::1', 1, '2001:db8::1'],
    ['[2001:db8::1]', 1, '2001:db8::1'],
    ['[2001:db8::1]:51234', 1, '2001:db8::1'],
    // Fewer entries than hops: all of them are ours.
    ['203.0.113.7', 3, '203.0.113.7'],
  ])('%s with %i hops', (header, hops, client) => {
    expect(clientAddress(header, hops)).toBe(client);
  });

  test('entries that a client wrote are ignored', () => {
    const claims = ['10.0.0.1', '127.0.0.1', 'unknown', '', '::1', '"x"', 'a'.repeat(9000)];
    for (const claim of claims) expect(clientAddress(`${claim}, 203.0.113.7:1`, 1)).toBe('203.0.113.7');
  });

  test.each([
    ['no header', null, 1],
    ['no trusted proxy', '203.0.113.7', 0],
    ['an empty header', '', 1],
    ['an empty entry', '203.0.113.7,', 1],
    ['a name', '203.0.113.7, client.example', 1],
    ['an octet that is too large', '203.0.113.256', 1],
    ['an octet with a leading zero', '203.0.113.07', 1],
    ['an unclosed bracket', '[2001:db8::1', 1],
    ['markup', '<script>', 1],
  ])('%s names no address', (_what, header, hops) => {
    expect(clientAddress(header, hops)).toBeUndefined();
  });
});

describe('a prefix stands for one network', () => {
  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['0.0.0.0', '0.0.0.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('%s is in %s', (address, prefix) => {
    expect(ipPrefix(address)).toBe(prefix);
  });

  test.each(['::ffff:203.0.113.7', '::FFFF:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7'])(
    'an IPv4 address in the dress of IPv6 is the IPv4 address: %s',
    (address) => {
      expect(ipPrefix(address)).toBe(ipPrefix('203.0.113.7'));
    },
  );

  test('an unknown address has none', () => {
    expect(ipPrefix(undefined)).toBeUndefined();
  });
});
