import { confirmWords, contradictingHost } from '../domains/connections/trust-zone'
import { isLessTrusted, keptRaise } from '../protocol/model-target'
import { connectionHost } from '../protocol/wire-address'
import type { EntryChange, FieldChange, Site } from './handler'
import type { EntryOf, GivenOf } from './site-file'

type Configuration = EntryOf<'configurations'>
type Chain = Pick<Configuration, 'model' | 'fallbacks'>

/**
 * Returns what happens to a configuration's raised data class when its models change, or their connections get a lower
 * trust zone: it is reset, unless the file sets it again (`keptRaise`).
 */
export function lostRaise(
  { before, given, changed }: EntryChange<'configurations'>,
  site: Site,
): FieldChange[] {
  if (!before || before.raisedDataClass === null || changed.has('raisedDataClass')) return []
  const { model = before.model, fallbacks = before.fallbacks } = given
  if (!isLost(before.raisedDataClass, [before, { model, fallbacks }], site)) return []
  const change = { field: 'raisedDataClass', before: before.raisedDataClass }
  if (!given.raisedDataClass)
    return [{ ...change, after: null, note: 'its models have a lower trust zone' }]
  const note = 'its models have a lower trust zone, and the file raises the data class again'
  return [{ ...change, after: given.raisedDataClass, note }]
}

/**
 * Returns what happens to the raised data class of configurations that the file does not name, when a connection
 * changes.
 */
export function lostRaisesElsewhere(
  { before, given }: EntryChange<'connections'>,
  site: Site,
): FieldChange[] {
  const { trustZone } = given
  if (!before || !trustZone || !isLessTrusted({ trustZone }, before)) return []
  const named = new Set(site.file.configurations.map(({ identifier }) => identifier))
  return [...site.state.configurations.values()].flatMap((configuration) => {
    const { identifier, raisedDataClass: raised } = configuration
    const isConcerned = !named.has(identifier) && connectionsOf(configuration).includes(given.name)
    if (!isConcerned || raised === null) return []
    if (!isLost(raised, [configuration, configuration], site)) return []
    const field = `raisedDataClass of ${identifier}`
    return [{ field, before: raised, after: null, note: 'its models have a lower trust zone' }]
  })
}

/** Connections are written one after the other, and models exchanged then: each of that may end it. */
function isLost(
  raised: NonNullable<Configuration['raisedDataClass']>,
  [chain, nextChain]: [Chain, Chain],
  { file, state }: Site,
): boolean {
  const zones = new Map(
    [...state.connections].map(([name, { trustZone }]) => [name, { trustZone }]),
  )
  const providersOf = (each: Chain) => connectionsOf(each).flatMap((name) => zones.get(name) ?? [])
  for (const { name, trustZone } of file.connections) {
    if (!trustZone) continue
    const before = providersOf(chain)
    zones.set(name, { trustZone })
    if (keptRaise(raised, { before, after: providersOf(chain) }) === null) return true
  }
  return keptRaise(raised, { before: providersOf(chain), after: providersOf(nextChain) }) === null
}

function connectionsOf({ model, fallbacks }: Chain): string[] {
  return [model, ...fallbacks].map(({ connection }) => connection)
}

/** Returns connections whose trust zone is missing for another host, or not confirmed (SPEC A8): a sentence each. */
export async function findZoneProblems({ file, state }: Site): Promise<string[]> {
  const found = await Promise.all(
    file.connections.map((given) => problemOf(given, state.connections.get(given.name) ?? null)),
  )
  return found.flatMap((problem) => problem ?? [])
}

async function problemOf(
  given: GivenOf<'connections'>,
  before: EntryOf<'connections'> | null,
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
