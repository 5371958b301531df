import type { KeyInFile } from '../domains/connections/key-schemas'
import { changeKey } from '../domains/connections/key-verbs'
import { listKeyUses } from '../domains/connections/list-keys'
import { findConnection, listConnections } from '../domains/connections/reads'
import { connectionFields } from '../domains/connections/shape'
import { updateConnection } from '../domains/connections/update-connection'
import { createConnection } from '../domains/connections/verbs'
import type { Ctx } from '../kernel/context'
import { ValidationError } from '../kernel/errors'
import { completeSettings } from '../protocol/connection-settings'
import { pick } from '../protocol/parameters'
import type { EntryChange, Handler } from './handler'
import type { GivenOf } from './site-file'
import { lostRaisesElsewhere } from './trust-zones'

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
