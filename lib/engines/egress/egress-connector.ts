import { type LookupAddress, lookup } from 'node:dns'
import { lookup as lookUpAddresses } from 'node:dns/promises'
import { isIP, type LookupFunction, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { buildConnector as Connecting } from 'undici'
// Only these parts: the whole package takes 50 ms to load, for what this server never uses.
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import { AppError } from '@/lib/kernel/errors'
import { type AddressClass, classifyAddress } from './classify-address'

export { Agent }

/** Resolves a host to all its addresses, as `dns.lookup` does with `all`. */
export type ResolveHost = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const resolveHost: ResolveHost = (host, callback) => lookup(host, { all: true }, callback)

/**
 * Returns an undici connector that connects only to checked addresses. The host is resolved once for each new
 * connection, which goes to exactly the checked addresses, so that a name cannot resolve to another address in between.
 * Certificate and Host header stay those of the name. Requests on an open connection resolve nothing.
 */
export function egressConnector(
  rule: EgressRule,
  timeoutMs: number,
  resolve: ResolveHost = resolveHost,
): Connecting.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: checkedLookup(rule, resolve) })
  return (options, callback) => {
    const refusal = isIP(options.hostname) ? refusalOf([options.hostname], rule) : null
    if (refusal) callback(refusal, null)
    else connect(options, callback)
  }
}

/**
 * Opens a connection without TLS to a checked address, for what is not HTTP. `host` is a name or an IP address without
 * brackets. Rejects with EgressError when the address may not be reached.
 */
export function openCheckedSocket(
  { host, port }: { host: string; port: number },
  rule: EgressRule,
  timeoutMs: number,
): Promise<Socket> {
  const connect = egressConnector(rule, timeoutMs)
  const place = { hostname: host, protocol: 'tcp:', port: String(port) }
  return new Promise((resolve, reject) => {
    connect(place, (error, socket) => (error === null ? resolve(socket) : reject(error)))
  })
}

/**
 * Returns a socket for a client that connects it by itself, to a port of a host. It goes only to checked addresses, as those of
 * `egressConnector` do, and ends with EgressError otherwise.
 */
export function checkedSocket(rule: EgressRule, resolve: ResolveHost = resolveHost): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  const lookup = checkedLookup(rule, resolve)
  const connectChecked = (port: number, host: string) => {
    const refusal = isIP(host) ? refusalOf([host], rule) : null
    return refusal ? socket.destroy(refusal) : connect({ port, host, lookup })
  }
  return Object.assign(socket, { connect: connectChecked })
}

function checkedLookup(rule: EgressRule, resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      const first = addresses?.[0]
      const refusal = error ?? refusalOf(addresses?.map(({ address }) => address) ?? [], rule)
      if (refusal || !first) return callback(refusal ?? unresolved(host), [])
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
}

function refusalOf(addresses: string[], rule: EgressRule): Error | null {
  try {
    requireAllowedAddresses(addresses, rule)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function unresolved(host: string): Error {
  return Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' })
}

/** The address may not be reached. The message names neither the host nor its address. */
export class EgressError extends AppError {
  constructor(
    readonly refused: AddressClass | 'scheme',
    message: string,
  ) {
    super('egress', 422, message)
  }
}

/**
 * Permission of an admin. `privateAllowed`: addresses in a private network or on this machine are allowed, too.
 * `publicRefused`: only those are, because the data stays in the own network.
 */
export type EgressRule = { privateAllowed: boolean; publicRefused?: boolean }

const never =
  'This address is link-local, reserved or a cloud metadata service, so requests to it are blocked. Enter another address.'

const refusals = {
  public:
    'The trust zone of this connection means that data stays in your own network, but its address is public now. Nothing was sent. An admin can correct the address or its DNS entry, pick an external trust zone, or confirm the trust zone for this host.',
  loopback:
    'This address is on this machine, so requests to it are blocked. An admin can allow private addresses on the connection.',
  private:
    'This address is in a private network, so requests to it are blocked. An admin can allow private addresses on the connection.',
  'link-local': never,
  forbidden: never,
} satisfies Record<AddressClass, string>

/** Throws EgressError unless every address may be reached: one bad address among good ones is how a name is rebound. */
function requireAllowedAddresses(addresses: readonly string[], rule: EgressRule): void {
  for (const address of addresses) {
    const found = classifyAddress(address)
    const isOwn = found === 'private' || found === 'loopback'
    if (found === 'public' && !rule.publicRefused) continue
    if (isOwn && rule.privateAllowed) continue
    throw new EgressError(found, refusals[found])
  }
}

const longestWaitMs = 3_000

/**
 * Returns why an address that somebody just gave may not be reached; null = it may be reached. A name that does not
 * resolve now passes: each connection is checked again when it is made.
 */
export async function findRefusal(url: string, rule: EgressRule): Promise<EgressError | null> {
  const waited = new AbortController()
  try {
    await Promise.race([
      requireReachable(url, rule),
      sleep(longestWaitMs, undefined, { signal: waited.signal, ref: false }),
    ])
  } catch (error) {
    if (error instanceof EgressError) return error
  } finally {
    waited.abort()
  }
  return null
}

/** Returns the hint for an admin who may allow it; null = no address of that kind is ever reached. */
export function allowingWords({ refused }: EgressError): string | null {
  if (refused !== 'private' && refused !== 'loopback') return null
  const where = refused === 'private' ? 'in a private network' : 'on this machine'
  return `This address is ${where}. If that is intended, allow addresses in a private network`
}

/**
 * Checks where an address leads at this moment: its scheme, then every IP address its host has. Throws EgressError
 * when one of them may not be reached, and Node's error with its `code` when the host cannot be resolved. For saying
 * no early; what is sent goes through `egressConnector`, which checks what it connects to.
 */
export async function requireReachable(address: string | URL, rule: EgressRule): Promise<void> {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError(
      'scheme',
      'Only addresses that start with http:// or https:// are allowed.',
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return requireAllowedAddresses([host], rule)
  const found = await lookUpAddresses(host, { all: true })
  requireAllowedAddresses(
    found.map(({ address }) => address),
    rule,
  )
}
