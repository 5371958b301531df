import { confirmWords, contradictingHost } from '../domains/connections/trust-zone'
import { connectionHost } from '../protocol/wire-address'
import type { Site } from './handler'
import type { EntryOf, GivenOf } from './site-file'

type Entry = EntryOf<'connections'>

/** Connections whose trust zone a file leaves open for another host, or does not confirm (SPEC A8): a sentence each. */
export async function findZoneProblems({ file, state }: Site): Promise<string[]> {
  const found = await Promise.all(
    file.connections.map((given) => problemOf(given, state.connections.get(given.name) ?? null)),
  )
  return found.flatMap((problem) => problem ?? [])
}

async function problemOf(
  given: GivenOf<'connections'>,
  before: Entry | null,
): Promise<string | null> {
  const { name } = given
  const wire = given.wire ?? before?.wire
  const trustZone = given.trustZone ?? before?.trustZone
  // What a new connection lacks is said when it is added.
  if (!wire || !trustZone) return null
  const baseUrl = given.baseUrl === undefined ? (before?.baseUrl ?? null) : given.baseUrl
  const settings = given.settings ?? (before?.wire === wire ? before.settings : {})
  const host = connectionHost({ wire, baseUrl, settings })
  if (host === null) return null
  const isMoved = before !== null && connectionHost(before) !== host
  if (isMoved && given.trustZone === undefined) {
    return `The connection ${name} gets another host. Give its trustZone, too.`
  }
  if (before && !isMoved && before.trustZone === trustZone) return null
  if (given.trustZoneConfirmed?.host.toLowerCase() === host) return null
  if ((await contradictingHost({ wire, baseUrl, settings, trustZone })) === null) return null
  return `The connection ${name}: ${confirmWords(trustZone, host)} In this file: trustZoneConfirmed: { host: ${host}, reason: TEXT }.`
}
