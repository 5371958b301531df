import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Class of an IP address as the target of a request. `link-local` (cloud machines keep their credentials there) and
 * `forbidden` (no host, or a metadata service) are never reached.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'link-local' | 'forbidden'

const byClass = {
  // Metadata services first: some stand in ranges that are private or public otherwise.
  forbidden: listOf([
    '100.100.100.200/32',
    '168.63.129.16/32',
    'fd00:ec2::23/128',
    'fd00:ec2::254/128',
    'fd00:c1::a9fe:a9fe/128',
    'fd00:42::42/128',
    'fd20:ce::254/128',
    '0.0.0.0/8',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    'ff00::/8',
    '2001::/23',
    '2001:db8::/32',
    '3fff::/20',
  ]),
  'link-local': listOf(['169.254.0.0/16', 'fe80::/10']),
  loopback: listOf(['127.0.0.0/8', '::1/128']),
  private: listOf([
    '10.0.0.0/8',
    '100.64.0.0/10',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '198.18.0.0/15',
    'fc00::/7',
    'fec0::/10',
  ]),
}

const classes = Object.keys(byClass) as (keyof typeof byClass)[]

const globalUnicast = listOf(['2000::/3'])

/** IPv6 prefixes whose addresses carry an IPv4 address, and at which 16-bit group it begins. */
const carriers = [
  { range: listOf(['::ffff:0:0/96', '64:ff9b::/96']), at: 6 },
  { range: listOf(['2002::/16']), at: 1 },
]

/**
 * Classes an IP address by IANA's registries. IPv4-mapped, NAT64 and 6to4 addresses are what the address inside them
 * is. Anything that is no address, or not known to be somebody's, is `forbidden`.
 */
export function classifyAddress(ip: string): AddressClass {
  if (isIPv4(ip)) return classOf(ip, 'ipv4') ?? 'public'
  if (!isIPv6(ip) || ip.includes('%')) return 'forbidden'
  const carrier = carriers.find(({ range }) => range.check(ip, 'ipv6'))
  if (carrier) return classifyAddress(carriedAddress(ip, carrier.at))
  return classOf(ip, 'ipv6') ?? (globalUnicast.check(ip, 'ipv6') ? 'public' : 'forbidden')
}

function classOf(ip: string, family: 'ipv4' | 'ipv6'): AddressClass | null {
  return classes.find((name) => byClass[name].check(ip, family)) ?? null
}

function carriedAddress(ip: string, at: number): string {
  const groups = groupsOf(ip)
  const [high = 0, low = 0] = groups.slice(at, at + 2)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Returns the eight 16-bit groups of an IPv6 address. */
function groupsOf(ip: string): number[] {
  // A URL writes an address in its one short form, without a dotted end.
  const host = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [head = '', tail] = host.split('::')
  const before = words(head)
  if (tail === undefined) return before
  const after = words(tail)
  return [...before, ...Array(8 - before.length - after.length).fill(0), ...after]
}

function words(text: string): number[] {
  return text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
}

function listOf(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

const longestWaitMs = 1_500
const believedForMs = 60_000
const own: ReadonlySet<string> = new Set(['private', 'loopback', 'link-local'])

type Known = { addresses: Promise<string[]>; at: number }
const known = new Map<string, Known>()
const mostKnown = 500

/**
 * Returns whether a host (name or IP address, as in a URL) is outside of private networks. A name is public when one of
 * the addresses that it resolves to is; a name that does not resolve in time is judged by its text (`soundsInternal`).
 */
export async function isPublicHost(host: string): Promise<boolean> {
  const name = hostName(host)
  if (isIP(name)) return isPublicAddress(name)
  const addresses = await resolved(name)
  return addresses.length > 0 ? addresses.some(isPublicAddress) : !soundsInternal(name)
}

/**
 * Returns where a host is: on this machine, in a private network, or outside. It is on this machine only when each of its
 * addresses is; a name that does not resolve in time is at most private.
 */
export async function hostClass(host: string): Promise<'public' | 'private' | 'loopback'> {
  if (await isPublicHost(host)) return 'public'
  const name = hostName(host)
  const addresses = isIP(name) ? [name] : await resolved(name)
  const isHere = (ip: string) => classifyAddress(ip) === 'loopback'
  return addresses.length > 0 && addresses.every(isHere) ? 'loopback' : 'private'
}

function hostName(host: string): string {
  return host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** Returns whether a name is never public: it has one label, or an ending that is reserved for private networks. */
export function soundsInternal(name: string): boolean {
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(name)
}

function isPublicAddress(ip: string): boolean {
  return !own.has(classifyAddress(ip))
}

/**
 * Returns the addresses of a name; none when it does not resolve in time, because pages that list connections do not
 * wait for a slow resolver.
 */
async function resolved(name: string): Promise<string[]> {
  const now = Date.now()
  let found = known.get(name)
  if (!found || now - found.at > believedForMs) {
    if (known.size >= mostKnown) known.clear()
    found = { addresses: lookUp(name), at: now }
    known.set(name, found)
  }
  const waited = new AbortController()
  try {
    return await Promise.race([
      found.addresses,
      sleep(longestWaitMs, [], { signal: waited.signal, ref: false }),
    ])
  } finally {
    waited.abort()
  }
}

async function lookUp(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}
