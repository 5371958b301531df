import { z } from 'zod'
import { type AuditedChange, changed, type MakeChange, verb } from '@/lib/edge/verb'
import { type Connection, Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { isUniqueViolation, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { reasonMissing } from '@/lib/shape/reason-words'
import { requireAllowedAddress } from './checks'
import { forgetKeyResults } from './connection-failures'
import { healthChannel } from './health'
import { connectionColumns, connectionFacts } from './open-connection'
import { lockConnection, requireConnection } from './reads'
import { ConnectionFacts, UpdateConnection } from './schemas'
import { secretChanges } from './secrets'
import { connectionHost } from './shared/wire-address'
import { confirmedZone, newZone, requirePickedZone, resetRaisedClasses } from './trust-zone'

const audits = [
  'connection.update',
  'connection.enable',
  'connection.disable',
  'configuration.update-policy',
] as const
type Action = (typeof audits)[number]

/**
 * Updates a connection; omitted fields stay. Throws ConflictError when somebody else changed it since `updatedAt`, or
 * since it was read here. Another trust zone needs a reason: it changes which tools may run, also in active runs, and a
 * less trusted one resets raised data classes (SPEC G7). Another host loses the secrets and needs its trust zone given
 * anew; a zone that contradicts a public address has to be confirmed (SPEC A8). Switching off needs a reason:
 * configurations with its models cannot be used, chains skip its models, and active runs on it end (SPEC G-R). Returns
 * false when nothing changed. Resolves host names before the transaction begins.
 */
export const updateConnection = verb({
  name: 'connection.update',
  mayBreakCases: true,
  role: 'admin',
  scope: 'connections:write',
  summary: 'Changes a connection or switches it; fields that are left out stay.',
  input: UpdateConnection.extend({ id: z.string() }),
  output: z.boolean(),
  audits,
  needsReauthentication: ({ apiKey, headers }) => apiKey !== undefined || headers !== undefined,
  transaction: 'later',
  run: async ({ ctx, change }, { id: idOrName, updatedAt, reason, enabled, ...wanted }) => {
    const isSwitchOnly = Object.keys(given({ ...wanted, confirmZone: undefined })).length === 0
    if (isSwitchOnly && wanted.confirmZone === '' && enabled !== undefined && !updatedAt) {
      return turn(change, idOrName, { enabled, reason })
    }
    return update({ ctx, change }, idOrName, { updatedAt, reason, enabled, ...wanted })
  },
})

async function update(
  { ctx, change }: { ctx: Ctx; change: MakeChange<Action> },
  idOrName: string,
  {
    updatedAt,
    reason,
    enabled,
    apiKey,
    headers,
    confirmZone,
    ...wanted
  }: z.output<typeof UpdateConnection>,
): Promise<boolean> {
  const row = await requireConnection(idOrName)
  const { id } = row
  if (updatedAt !== undefined && updatedAt !== row.updatedAt.toISOString()) throw changedSince()
  const before = connectionFacts(row)
  const { settings: _, ...others } = wanted
  const after = parseInput(ConnectionFacts, {
    ...before,
    ...given(others),
    settings: changedSettings(before, wanted),
  })
  const changes = differing(before, after)
  const zone = newZone(before, after, reason)
  const isOtherHost = connectionHost(before) !== connectionHost(after)
  const areSecretsNew = apiKey !== undefined || headers !== undefined
  const isZoneAsked = zone !== null || isOtherHost || confirmZone !== ''
  const isEdited = changes.any || areSecretsNew || isZoneAsked
  if (!isEdited) return enabled === undefined ? false : turn(change, id, { enabled, reason })
  const isUntested = changes.elsewhere || areSecretsNew
  if (changes.moved) await requireAllowedAddress(after)
  if (isOtherHost) requirePickedZone(after, wanted)
  const confirmed = isZoneAsked
    ? await confirmedZone(ctx, after, { confirmZone, reason, stored: row.zoneConfirmation })
    : undefined
  try {
    return await change(async (tx) => {
      // Read again under its lock: a key may have been stored meanwhile, and must not go to another host either.
      const now = await lockConnection(tx, id)
      if (now.updatedAt.getTime() !== row.updatedAt.getTime()) throw changedSince()
      const rezoning = { connectionId: id, name: after.name, reason }
      const dropped = zone ? await resetRaisedClasses(tx, ctx, { ...rezoning, zone }) : []
      const secrets = await secretChanges(tx, now, { after, apiKey, headers })
      await tx.connection.update({
        where: { id },
        data: {
          ...connectionColumns(after),
          ...secrets.columns,
          ...(confirmed !== undefined && { zoneConfirmation: confirmed ?? Prisma.DbNull }),
          ...(isUntested && { lastTest: Prisma.DbNull }),
        },
      })
      if (changes.elsewhere) await forgetHealth(tx, id)
      else if (areSecretsNew) await forgetKeyResults(tx, id)
      const edited = {
        subject: id,
        before: { name: before.name, ...changes.before, ...secrets.before },
        after: {
          name: after.name,
          ...changes.after,
          ...secrets.after,
          ...(confirmed && { zoneConfirmedFor: confirmed.host }),
        },
        reason,
      }
      const switching = { enabled: enabled ?? now.enabled, reason }
      const switched = await switchConnection(tx, { ...now, name: after.name }, switching)
      return changed(true, ...dropped, edited, ...switched)
    }, changePolicy)
  } catch (error) {
    if (isUniqueViolation(error))
      throw new ConflictError('Another connection has this name.', 'name')
    throw error
  }
}

type Switch = { enabled: boolean; reason: string }

function turn(change: MakeChange<Action>, idOrName: string, wanted: Switch): Promise<boolean> {
  return change(async (tx) => {
    const switched = await switchConnection(tx, await lockConnection(tx, idOrName), wanted)
    return changed(switched.length > 0, ...switched)
  }, changePolicy)
}

/** Switches a connection that `lockConnection` read. Part of a policy change. */
async function switchConnection(
  tx: PolicyTx,
  { id, name, enabled: before }: Connection,
  { enabled, reason }: Switch,
): Promise<AuditedChange<Action>[]> {
  if (before === enabled) return []
  if (!enabled && reason === '') {
    throw new ValidationError({ reason: reasonMissing })
  }
  await tx.connection.update({ where: { id }, data: { enabled } })
  const action = enabled ? 'connection.enable' : 'connection.disable'
  const change = { action, before: { name, enabled: before }, after: { name, enabled } } as const
  return [{ ...change, subject: id, reason }]
}

/** Returns the new settings. Those of another API type are dropped. */
function changedSettings(before: ConnectionFacts, { wire, settings = {} }: Wanted) {
  const stored = wire === undefined || wire === before.wire ? before.settings : {}
  const merged = Object.entries({ ...stored, ...settings })
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== ''))
}

type Wanted = Pick<z.output<typeof UpdateConnection>, 'wire' | 'settings'>

export function given(wanted: object): object {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

type Changes = {
  any: boolean
  /** True = the address changes, or which addresses are allowed. */
  moved: boolean
  /** True = the requests go to another provider. */
  elsewhere: boolean
  before: Partial<ConnectionFacts>
  after: Partial<ConnectionFacts>
}

function differing(before: ConnectionFacts, after: ConnectionFacts): Changes {
  const names = Object.keys(before) as (keyof ConnectionFacts)[]
  const changed = new Set<string>(
    names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
  )
  const pick = (facts: ConnectionFacts) =>
    Object.fromEntries(Object.entries(facts).filter(([name]) => changed.has(name)))
  return {
    any: changed.size > 0,
    moved: ['wire', 'baseUrl', 'settings', 'privateAddressAllowed'].some((name) =>
      changed.has(name),
    ),
    elsewhere: ['wire', 'baseUrl', 'settings'].some((name) => changed.has(name)),
    before: pick(before),
    after: pick(after),
  }
}

function changedSince(): ConflictError {
  return new ConflictError(
    'Somebody changed this connection after you opened it, so nothing was saved. Load it again and repeat your change.',
  )
}

/** Deletes the health of a connection whose address changed: failures are counted anew, and it is untried again. */
async function forgetHealth(tx: Tx, connectionId: string): Promise<void> {
  await tx.connectionHealth.deleteMany({ where: { connectionId } })
  await tx.connectionFailure.deleteMany({ where: { connectionId } })
  await tx.$executeRaw`SELECT pg_notify(${healthChannel}, ${connectionId})`
}
