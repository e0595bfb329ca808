import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * The client's address from `X-Forwarded-For`: the left-most of the last `trustedHops` entries, which trusted proxies
 * wrote. Entries further left come from the client and are ignored. Azure's front end writes `ip:port`.
 *
 * @returns undefined when no trusted proxy named an address.
 */
export function clientAddress(forwardedFor: string | null, trustedHops: number): string | undefined {
  if (trustedHops === 0 || forwardedFor === null) return undefined;
  const entries = forwardedFor.split(',');
  const entry = entries[Math.max(0, entries.length - trustedHops)];
  return entry === undefined ? undefined : withoutPort(entry.trim());
}

function withoutPort(entry: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  const dotted = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(entry)?.[1];
  const candidate = bracketed ?? dotted ?? entry;
  return isIP(candidate) === 0 ? undefined : candidate;
}

const mappedIPv4 = new BlockList();
mappedIPv4.addSubnet('::ffff:0:0', 96, 'ipv6');

/** The /24 of an IPv4 or the /64 of an IPv6 address: the unit that is throttled. */
export function ipPrefix(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (!isIPv6(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = expandIPv6(address);
  if (mappedIPv4.check(address, 'ipv6')) {
    const [high = 0, low = 0] = groups.slice(6);
    return `${high >> 8}.${high & 255}.${low >> 8}.0/24`;
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight 16-bit groups. WHATWG URL parsing yields the canonical text, with dotted tails resolved. */
function expandIPv6(address: string): number[] {
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
}
