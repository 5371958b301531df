import { isLessTrusted, keptRaise } from '../protocol/model-target'
import type { EntryChange, FieldChange, Site } from './handler'
import type { EntryOf } from './site-file'

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
 * Returns the same for configurations that the file does not name, whose raise is reset by the change of a connection.
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
