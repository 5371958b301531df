import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type EgressRule, requireAllowedAddresses } from './require-allowed-addresses'

/** Resolves a host to all its addresses, as `dns.lookup` does with `all`. */
export type ResolveHost = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const resolveHost: ResolveHost = (host, callback) => lookup(host, { all: true }, callback)

/**
 * An undici connector that connects to checked addresses only. The host is resolved once for each new connection and
 * the connection goes to the very addresses that were checked, so that a name cannot change its mind between the two;
 * certificate and Host header stay those of the name. Requests on a connection that is open resolve nothing.
 */
export function egressConnector(
  rule: EgressRule,
  timeoutMs: number,
  resolve: ResolveHost = resolveHost,
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: checkedLookup(rule, resolve) })
  return (options, callback) => {
    const refusal = isIP(options.hostname) ? refusalOf([options.hostname], rule) : null
    if (refusal) callback(refusal, null)
    else connect(options, callback)
  }
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
