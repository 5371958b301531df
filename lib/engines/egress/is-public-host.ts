import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { classifyAddress } from './classify-address'

const longestWaitMs = 1_500
const believedForMs = 60_000
const own: ReadonlySet<string> = new Set(['private', 'loopback', 'link-local'])

type Known = { addresses: Promise<string[]>; at: number }
const known = new Map<string, Known>()
const mostKnown = 500

/**
 * Whether a host (name or IP address, as in a URL) is outside of one's own networks. A name is what it resolves to, and
 * public when one of its addresses is; one that does not resolve in time is judged by itself (`soundsInternal`).
 */
export async function isPublicHost(host: string): Promise<boolean> {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIP(name)) return isPublicAddress(name)
  const addresses = await resolved(name)
  return addresses.length > 0 ? addresses.some(isPublicAddress) : !soundsInternal(name)
}

/** Names that are never public: one label, and endings kept for networks of one's own. */
export function soundsInternal(name: string): boolean {
  return !name.includes('.') || /\.(?:localhost|local|internal|home\.arpa)$/.test(name)
}

function isPublicAddress(ip: string): boolean {
  return !own.has(classifyAddress(ip))
}

/** Empty when it does not resolve, or not in time: pages that list connections do not wait for a slow resolver. */
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
