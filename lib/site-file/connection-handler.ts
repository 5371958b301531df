import type { KeyInFile } from '@/lib/domains/connections/key-schemas'
import { changeKey } from '@/lib/domains/connections/key-verbs'
import { listKeyUses } from '@/lib/domains/connections/list-keys'
import { findConnection, listConnections } from '@/lib/domains/connections/reads'
import { connectionFields } from '@/lib/domains/connections/shape'
import { completeSettings } from '@/lib/domains/connections/shared/connection-settings'
import { connectionHost } from '@/lib/domains/connections/shared/wire-address'
import { confirmWords, contradictingHost } from '@/lib/domains/connections/trust-zone'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { isLessTrusted, keptRaise } from '@/lib/protocol/model/model-target'
import { pick } from '@/lib/protocol/parameters/parameters'
import type { EntryChange, FieldChange, Handler, Site } from './handler'
import type { EntryOf, GivenOf } from './site-file'

const facts = connectionFields.filter((field) => field !== 'name')

/** Reads and writes connections without their key and headers, which never leave the vault. */
export const connectionHandler: Handler<'connections'> = {
  read: async (ctx) => {
    const uses = await listKeyUses(ctx)
    return (await listConnections(ctx, {})).map((row) => ({
      name: row.name,
      ...pick(row, facts),
      trustZoneConfirmed: row.zone.type === 'confirmed' ? pick(row.zone, ['host', 'reason']) : null,
      keys: uses.get(row.id) ?? [],
      enabled: row.enabled,
    }))
  },
  // A file cannot take a confirmation back: it ends with the host or the zone it was given for.
  becomes: {
    settings: (before, given) => completeSettings(given.wire ?? before.wire, given.settings ?? {}),
    keys: (before, given) => mergedKeys(before.keys, given.keys ?? []),
    trustZoneConfirmed: (before, given) => given.trustZoneConfirmed ?? before.trustZoneConfirmed,
  },
  consequences: lostRaisesElsewhere,
  work: (change) => {
    const { before, given, changed } = change
    const isOff = given.enabled === false && changed.has('enabled')
    return {
      write: (ctx, reason) => (before ? update(ctx, change, reason) : create(ctx, given, reason)),
      finish: isOff ? (ctx, reason) => turn(ctx, given.name, false, reason) : undefined,
    }
  },
}

async function create(
  ctx: Ctx,
  {
    enabled: _,
    keys: _keys,
    wire,
    trustZone,
    trustZoneConfirmed,
    ...given
  }: GivenOf<'connections'>,
  reason: string,
): Promise<void> {
  if (!wire || !trustZone) {
    throw new ValidationError({
      wire: 'A new connection needs the fields wire (its API type) and trustZone.',
    })
  }
  await createConnection(ctx, {
    ...given,
    wire,
    trustZone,
    confirmZone: trustZoneConfirmed?.host,
    reason: trustZoneConfirmed?.reason ?? reason,
  })
}

async function update(
  ctx: Ctx,
  { before, given, changed }: EntryChange<'connections'>,
  reason: string,
): Promise<void> {
  const { id } = await findConnection(ctx, given.name)
  const wanted = pick(
    given,
    facts.filter((field) => changed.has(field)),
  )
  const { trustZone, trustZoneConfirmed: confirmed } = given
  const isMoved = ['wire', 'baseUrl', 'settings'].some((field) => changed.has(field))
  const isZoneAsked = isMoved || changed.has('trustZone') || changed.has('trustZoneConfirmed')
  const confirms = isZoneAsked && confirmed
  if (Object.keys(wanted).length > 0 || confirms) {
    await updateConnection(ctx, {
      id,
      ...wanted,
      ...(wanted.settings && { settings: { ...gone(before, wanted.wire), ...wanted.settings } }),
      ...(isMoved && { trustZone }),
      ...(confirms && { confirmZone: confirms.host }),
      reason: confirms ? confirms.reason : reason,
    })
  }
  if (changed.has('keys')) {
    const stored = new Set(before?.keys.map(({ label }) => label))
    for (const { label, ...use } of given.keys ?? []) {
      if (stored.has(label)) await changeKey(ctx, { id, key: label, ...use, reason })
    }
  }
  if (given.enabled && changed.has('enabled')) await turn(ctx, given.name, true, reason)
}

/** Returns the keys as the file wants them used. A file has no secrets, so it neither adds nor removes a key. */
function mergedKeys(before: readonly KeyInFile[], given: readonly KeyInFile[]): KeyInFile[] {
  const wanted = new Map(given.map((key) => [key.label, key]))
  return before.map((key) => ({ ...key, ...wanted.get(key.label) }))
}

/**
 * Returns null for each stored setting, because a file names all that stay. A change of the API type removes them
 * itself.
 */
function gone(before: EntryChange<'connections'>['before'], wire: string | undefined) {
  const isOther = wire !== undefined && wire !== before?.wire
  const keys = isOther ? [] : Object.keys(before?.settings ?? {})
  return Object.fromEntries(keys.map((key) => [key, null]))
}

async function turn(ctx: Ctx, name: string, enabled: boolean, reason: string): Promise<void> {
  const { id } = await findConnection(ctx, name)
  await updateConnection(ctx, { id, enabled, reason })
}

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
function lostRaisesElsewhere(
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

/**
 * Returns whether a raised class ends. Connections are written one after the other, and models exchanged then: each of that
 * may end it.
 */
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
  // Missing fields of a new connection are reported when it is added.
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
