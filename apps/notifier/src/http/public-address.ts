/**
 * Which addresses connections may go to. Members of organizations choose where messages go, so an address is refused
 * unless it is known to be public: the service must not give access to the network that it runs in.
 */
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** What the operator allows in addition, from OUTBOUND_ALLOW. */
export interface AllowList {
  /** In lower case, as URL writes them, without the dot at the end. */
  hosts: ReadonlySet<string>;
  ranges: readonly Range[];
}

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const mapped = ipaddr.parseCIDR('::ffff:0:0/96') as [ipaddr.IPv6, number];
/** RFC 6052: the form of IPv4 addresses in a network that only has IPv6. */
const translated = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];
/** It is in a public range, but in Azure it is the host of the virtual machine. */
const azureHost = '168.63.129.16';

/** The IPv4 address inside an IPv6 address that only wraps it. */
function unwrapped(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const wraps = address.match(mapped) || address.match(translated);
  return wraps ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

/** ipaddr.js calls every address without a special range `unicast`. In IPv6 only those of 2000::/3 are public. */
function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(globalUnicast) : address.toString() !== azureHost;
}

const isIn = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

/** Strict, as the system reads it: ipaddr.js accepts `10.1`, and reads `::8.8.8.8` as another address. */
function parsed(text: string): Address | null {
  const family = isIP(text);
  if (family === 4) return ipaddr.IPv4.parse(text);
  const isPlain = family === 6 && URL.canParse(`http://[${text}]`);
  return isPlain ? ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1)) : null;
}

/** Whether a connection to this address is allowed. False for anything but an address, and for one with a zone. */
export function mayConnect(text: string, allowed: AllowList): boolean {
  const address = parsed(text);
  if (address === null) return false;
  const judged = unwrapped(address);
  return isPublicAddress(judged) || allowed.ranges.some((range) => isIn(judged, range));
}

/** A host in the form of the list: `Hooks.Internal.` is `hooks.internal`. */
export const hostName = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** Letters of any script, digits, hyphens and underscores between dots. */
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?`;
const name = new RegExp(String.raw`^${label}(?:\.${label})*\.?$`, 'u');

function entry(text: string): { range: Range } | { host: string } | null {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text))
    return { range: ipaddr.parseCIDR(text) };
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return { range: [ipaddr.parse(text), 32] };
  if (ipaddr.IPv6.isValid(text)) return { range: [ipaddr.parse(text), 128] };
  if (!name.test(text) || !URL.canParse(`http://${text}`)) return null;
  const host = hostName(new URL(`http://${text}`).hostname);
  // Another spelling of an address (`10.1`, `0x7f000001`) is more likely a mistake than intended.
  return ipaddr.isValid(host) ? null : { host };
}

/**
 * Reads `10.0.0.0/8,hooks.internal`: networks, addresses and names, separated by commas. `faults` are the entries that
 * are none of these.
 */
export function parseAllowList(text: string): AllowList & { faults: string[] } {
  const texts = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const entries = texts.map((one) => ({ one, read: entry(one) }));
  return {
    hosts: new Set(entries.flatMap(({ read }) => (read && 'host' in read ? [read.host] : []))),
    ranges: entries.flatMap(({ read }) => (read && 'range' in read ? [read.range] : [])),
    faults: entries.flatMap(({ one, read }) => (read ? [] : [one])),
  };
}
