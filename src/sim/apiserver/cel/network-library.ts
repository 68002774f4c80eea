import { type Cidr, type IpBytes, ipText, isIpv4Mapped, maskedIp, parseCidr, parseIp } from '../schema/ip-address.js';
import { ipFault, prefixFault } from '../schema/ip-fault.js';
import { goQuote } from '../status.js';
import type { Declaration, Run } from './functions.js';
import { succeeds } from './kubernetes-library.js';
import { parseRequestUrl, type RequestUrl } from './request-url.js';
import { CelError, CelList, type CelMap, type CelOpaque, type CelValue, LiteralMap } from './values.js';

class IpValue implements CelOpaque {
  readonly kind = 'opaque';
  readonly typeName = 'net.IP';
  constructor(readonly address: IpBytes) {}

  equals(other: CelOpaque): boolean {
    return other instanceof IpValue && ipText(other.address) === ipText(this.address);
  }
}

class CidrValue implements CelOpaque {
  readonly kind = 'opaque';
  readonly typeName = 'net.CIDR';
  constructor(readonly cidr: Cidr) {}

  get text(): string {
    return `${ipText(this.cidr.address)}/${this.cidr.prefixLength}`;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CidrValue && other.text === this.text;
  }
}

/** The number of bytes of an address, which its traversal costs; undefined for other values. */
export function networkSize(value: unknown): number | undefined {
  if (value instanceof IpValue) return value.address.length;
  return value instanceof CidrValue ? value.cidr.address.length : undefined;
}

function ipOf(text: string): IpValue {
  const [bare = '', zone] = text.split('%');
  const address = parseIp(bare, 'strict');
  if (address === undefined) {
    throw new CelError(`IP Address ${goQuote(text)} parse error during conversion from string: ${ipFault(text)}`);
  }
  if (zone !== undefined) throw new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isIpv4Mapped(address)) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IpValue(address);
}

function cidrOf(text: string): CidrValue {
  const twice = 'network address parse error during conversion from string: ';
  const cidr = text.includes('%') ? undefined : parseCidr(text, 'strict');
  if (cidr === undefined) {
    throw new CelError(`${twice}${twice}${prefixFault(text)}`);
  }
  if (isIpv4Mapped(cidr.address)) throw new CelError(`${twice}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new CidrValue(cidr);
}

function containsIp({ cidr }: CidrValue, { address }: IpValue): boolean {
  if (address.length !== cidr.address.length) return false;
  const [network, other] = [maskedIp(cidr.address, cidr.prefixLength), maskedIp(address, cidr.prefixLength)];
  return network.every((byte, index) => byte === other[index]);
}

function containsCidr(outer: CidrValue, inner: CidrValue): boolean {
  return outer.cidr.prefixLength <= inner.cidr.prefixLength && containsIp(outer, new IpValue(inner.cidr.address));
}

const isUnspecified = ({ address }: IpValue) => address.every((byte) => byte === 0);
const isLoopback = ({ address }: IpValue) =>
  address.length === 4 ? address[0] === 127 : address.every((byte, index) => byte === (index === 15 ? 1 : 0));
const isLinkLocalMulticast = ({ address: [a, b = 0, c], address }: IpValue) =>
  address.length === 4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2;
const isLinkLocalUnicast = ({ address: [a, b = 0], address }: IpValue) =>
  address.length === 4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
const isMulticast = ({ address: [a = 0], address }: IpValue) => (address.length === 4 ? (a & 0xf0) === 0xe0 : a === 0xff);
const isBroadcast = ({ address }: IpValue) => address.length === 4 && address.every((byte) => byte === 255);
const isGlobalUnicast = (ip: IpValue) =>
  !isUnspecified(ip) && !isBroadcast(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);

const addresses: readonly Declaration[] = [
  ['ip(string): net.IP', 'string_to_ip', ipOf as Run],
  ['isIP(string): bool', 'is_ip', ((text: string) => succeeds(() => ipOf(text))) as Run],
  ['ip.isCanonical(string): bool', 'ip_is_canonical', ((text: string) => ipText(ipOf(text).address) === text) as Run],
  ['net.IP.family(): int', 'ip_family', (({ address }: IpValue) => (address.length === 4 ? 4n : 6n)) as Run],
  ['net.IP.isUnspecified(): bool', 'ip_is_unspecified', isUnspecified as Run],
  ['net.IP.isLoopback(): bool', 'ip_is_loopback', isLoopback as Run],
  ['net.IP.isLinkLocalMulticast(): bool', 'ip_is_link_local_multicast', isLinkLocalMulticast as Run],
  ['net.IP.isLinkLocalUnicast(): bool', 'ip_is_link_local_unicast', isLinkLocalUnicast as Run],
  ['net.IP.isGlobalUnicast(): bool', 'ip_is_global_unicast', isGlobalUnicast as Run],
  ['string(net.IP): string', 'ip_to_string', (({ address }: IpValue) => ipText(address)) as Run],
];

const networks: readonly Declaration[] = [
  ['cidr(string): net.CIDR', 'string_to_cidr', cidrOf as Run],
  ['isCIDR(string): bool', 'is_cidr', ((text: string) => succeeds(() => cidrOf(text))) as Run],
  [
    'net.CIDR.containsIP(string): bool',
    'cidr_contains_ip_string',
    ((cidr: CidrValue, text: string) => containsIp(cidr, ipOf(text))) as Run,
  ],
  ['net.CIDR.containsIP(net.IP): bool', 'cidr_contains_ip_ip', containsIp as Run],
  [
    'net.CIDR.containsCIDR(string): bool',
    'cidr_contains_cidr_string',
    ((cidr: CidrValue, text: string) => containsCidr(cidr, cidrOf(text))) as Run,
  ],
  ['net.CIDR.containsCIDR(net.CIDR): bool', 'cidr_contains_cidr', containsCidr as Run],
  ['net.CIDR.ip(): net.IP', 'cidr_ip', (({ cidr }: CidrValue): CelValue => new IpValue(cidr.address)) as Run],
  ['net.CIDR.prefixLength(): int', 'cidr_prefix_length', (({ cidr }: CidrValue) => BigInt(cidr.prefixLength)) as Run],
  [
    'net.CIDR.masked(): net.CIDR',
    'cidr_masked',
    (({ cidr }: CidrValue): CelValue =>
      new CidrValue({ address: maskedIp(cidr.address, cidr.prefixLength), prefixLength: cidr.prefixLength })) as Run,
  ],
  ['string(net.CIDR): string', 'cidr_to_string', ((value: CidrValue) => value.text) as Run],
];

class UrlValue implements CelOpaque {
  readonly kind = 'opaque';
  readonly typeName = 'kubernetes.URL';
  constructor(
    readonly text: string,
    readonly url: RequestUrl,
  ) {}

  equals(other: CelOpaque): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

function urlOf(text: string): UrlValue {
  const url = parseRequestUrl(text);
  if (typeof url === 'string') throw new CelError(`URL parse error during conversion from string: parse ${goQuote(text)}: ${url}`);
  return new UrlValue(text, url);
}

function queryOf({ url }: UrlValue): CelMap {
  const map = new LiteralMap();
  for (const [key, values] of url.query) map.add(key, new CelList(values));
  return map;
}

const urls: readonly Declaration[] = [
  ['url(string): kubernetes.URL', 'string_to_url', urlOf as Run],
  ['isURL(string): bool', 'is_url_string', ((text: string) => succeeds(() => urlOf(text))) as Run],
  ['kubernetes.URL.getScheme(): string', 'url_get_scheme', (({ url }: UrlValue) => url.scheme) as Run],
  ['kubernetes.URL.getHost(): string', 'url_get_host', (({ url }: UrlValue) => url.host) as Run],
  ['kubernetes.URL.getHostname(): string', 'url_get_hostname', (({ url }: UrlValue) => url.hostname) as Run],
  ['kubernetes.URL.getPort(): string', 'url_get_port', (({ url }: UrlValue) => url.port) as Run],
  ['kubernetes.URL.getEscapedPath(): string', 'url_get_escaped_path', (({ url }: UrlValue) => url.escapedPath) as Run],
  ['kubernetes.URL.getQuery(): map(string, list(string))', 'url_get_query', queryOf as Run],
];

export const networkLibrary: readonly Declaration[] = [...addresses, ...networks, ...urls];
