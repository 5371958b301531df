import 'server-only'
import { createHash } from 'node:crypto'
import type { Ctx } from '@/lib/kernel/context'
import { database, type Tx } from '@/lib/kernel/db'
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  UnavailableError,
  ValidationError,
} from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { type PgConnection, pooledTransaction } from '@/lib/kernel/statements'
import { type Engine, runningEngine } from '@/lib/runs/engine/engine'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { StartRunInput } from '@/lib/runs/schemas'
import { insertRun, type Planned } from '@/lib/runs/start/insert-run'
import { planRun } from '@/lib/runs/start/plan-run'
import { PolicyChangedError, storeUnderPolicy } from '@/lib/runs/start/policy-cache'
import type { PanelCarried, StartContext } from '@/lib/runs/start/run-draft'
import { withoutMemory } from '@/lib/runs/start/start-run'
import { insertPanel } from './insert-panel'
import type { MemberDraft, NewPanel, PlannedMember } from './new-panel'
import { claimsOf, reserveForPanel } from './reserve-for-panel'

/**
 * Stores a panel with its audit row, the members that begin at once and what budgets hold for their first requests in one
 * transaction: all or nothing. The same `idempotencyKey` with the same input returns the same panel.
 */
export async function storePanel(
  ctx: Ctx,
  panel: NewPanel,
): Promise<{ panelId: string; created: boolean }> {
  if (shutdownSignal.aborted)
    throw new UnavailableError('Toolgate is stopping. Try again in a moment.')
  const engine = runningEngine()
  const context = engine ?? withoutMemory(database())
  const { client, pool } = context.database
  const inputHash = hashOf(panel)
  const { idempotencyKey } = panel.input
  const known = await findByKey(client, ctx, idempotencyKey, inputHash)
  if (known) return known
  const room = engine?.places.room() ?? panel.begins.length
  const release = engine?.places.hold(panel.begins.length)
  const plan = async (panelId: string, from: Tx | undefined) => {
    const members = await planMembers(context, ctx, { panel, panelId }, from)
    const plans = panel.begins.flatMap((place) => members[place]?.planned ?? [])
    const claims = await claimsOf(context, engine, plans, from ?? client)
    return { panel, panelId, inputHash, members, plans, claims, plannedAt: context.now() }
  }
  const store = async (connection: PgConnection, planned: Awaited<ReturnType<typeof plan>>) => {
    if (!(await insertPanel(connection, ctx, planned))) return null
    const begun = await insertMembers(connection, ctx, { engine, room, plans: planned.plans })
    await reserveForPanel(connection, planned.claims)
    return begun
  }
  const planAndStore = async (tries: number, tx?: Tx) => {
    const panelId = newId()
    const planned = await plan(panelId, tx ?? (tries > 1 ? client : undefined))
    const begun = await (tx
      ? store(tx, planned)
      : pooledTransaction(pool, (connection) => store(connection, planned)))
    if (begun) return { panelId, created: true, begun }
    const same = await findByKey(tx ?? client, ctx, idempotencyKey, inputHash)
    return same && { ...same, begun: [] }
  }
  try {
    const stored = await storeUnderPolicy(context.database, planAndStore)
    if (!stored)
      throw new UnavailableError('The configurations are being changed. Try again in a moment.')
    const { begun, ...answer } = stored
    for (const run of begun) engine?.work.start(run)
    return answer
  } finally {
    release?.()
  }
}

async function planMembers(
  context: StartContext,
  ctx: Ctx,
  { panel, panelId }: { panel: NewPanel; panelId: string },
  from: Tx | undefined,
): Promise<PlannedMember[]> {
  const members: PlannedMember[] = []
  // In a transaction, statements cannot be sent at once.
  for (const [place, wish] of panel.wishes.entries())
    members.push(await planMember(context, ctx, { wish, panelId, place }, from))
  panel.check?.(members)
  const begins = panel.begins.map((place) => members[place])
  const [first] = begins
  if (first?.planned === null && begins.every((member) => member?.planned === null))
    throw first.error
  return members
}

type Wished = { wish: MemberDraft; panelId: string; place: number; carried?: PanelCarried }

/**
 * Plans one member. What it may not do now is kept with it; what can never be, such as a configuration that does not
 * exist, is thrown for the whole panel.
 */
export async function planMember(
  context: StartContext,
  ctx: Ctx,
  { wish, panelId, place, carried }: Wished,
  from: Tx | undefined,
): Promise<PlannedMember> {
  const { configuration: name, hops, role, instructions, ofTask: task, ...rest } = wish
  const { panelCap: costCap, panelCapDecision: capDecision, ...fields } = rest
  const run = StartRunInput.parse({ configuration: name, ...fields })
  const limits = { hops, costCap, capDecision, role, instructions }
  const panel = { panelId, place, ...limits, carried, task }
  const plan = (tx: Tx | undefined) => planRun(context, ctx, { ...run, panel }, tx)
  try {
    // Re-read from the database before refusing: the cache may be stale.
    const planned = await (from
      ? plan(from)
      : plan(undefined).catch(() => plan(context.database.client)))
    return { name: planned.snapshot.configurationName, planned, refusal: null }
  } catch (error) {
    if (error instanceof NotFoundError) {
      throw new ValidationError({ [`configurations.${place}`]: `${name}: ${error.message}` })
    }
    const isOfNow = error instanceof ForbiddenError || error instanceof ConflictError
    if (!isOfNow) throw error
    return { name, planned: null, refusal: error.message, error }
  }
}

type Inserting = {
  engine: Engine | undefined
  /** Number of further runs that the engine may work on. */
  room: number
  plans: readonly Planned[]
}

/** Stores the runs of members. Returns those that may begin now. Throws PolicyChangedError. */
export async function insertMembers(
  connection: PgConnection,
  ctx: Ctx,
  { engine, room, plans }: Inserting,
): Promise<NewRun[]> {
  const { instanceId = null, places } = engine ?? {}
  const begun: NewRun[] = []
  for (const planned of plans) {
    const by = {
      input: { continues: null, changedFrom: null, idempotencyKey: null },
      inputHash: '',
      instanceId,
      hasRoom: begun.length < room,
      queued: places?.queued ?? false,
    }
    const inserted = await insertRun(connection, ctx, { ...planned, ...by })
    if (inserted === 'policy-changed' || inserted === 'known') throw new PolicyChangedError()
    if (inserted === 'created') begun.push(planned.run)
  }
  return begun
}

async function findByKey(tx: Tx, ctx: Ctx, idempotencyKey: string | null, inputHash: string) {
  if (idempotencyKey === null) return null
  const panel = await tx.panel.findUnique({
    where: { userId_idempotencyKey: { userId: ctx.actor.userId, idempotencyKey } },
    select: { id: true, idempotencyHash: true },
  })
  if (!panel) return null
  if (panel.idempotencyHash !== inputHash) {
    throw new ConflictError(
      'This idempotency key was used for another panel. Use a new key for a new panel.',
    )
  }
  return { panelId: panel.id, created: false }
}

function hashOf({ input, wishes, start, hashed }: NewPanel): string {
  // Hashes are stored: the keys must stay.
  const whole = hashed ?? { asked: input, wishes, start }
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex')
}
