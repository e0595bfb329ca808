import { BlockList, isIP } from 'node:net';

const addresses = new BlockList();
addresses.addSubnet('127.0.0.0', 8, 'ipv4');
addresses.addAddress('::1', 'ipv6');

/**
 * Whether `host` is this machine, so that traffic to it crosses no network: `localhost`, an address in 127.0.0.0/8, or
 * ::1 with or without brackets. Other names count as remote, because what they resolve to can change.
 */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = host.replace(/^\[(.+)\]$/, '$1');
  const version = isIP(address);
  return version !== 0 && addresses.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
