import 'server-only'
import { createHash } from 'node:crypto'
import type { Ctx } from '@/lib/kernel/context'
import { type ChangeTx, database, type Tx, withTransaction } from '@/lib/kernel/db'
import {
  type AppError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  UnavailableError,
  ValidationError,
} from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { changed, type MakeChange, unchanged } from '@/lib/kernel/verb'
import type { CapDecision } from '@/lib/protocol/money'
import type { PanelRole } from '@/lib/protocol/panel-role'
import type { PanelMember, PanelStart } from '@/lib/protocol/panel-start'
import { type Engine, runningEngine } from './engine/engine'
import type { NewRun } from './engine/live-runs'
import { insertRun, type Planned } from './insert-run'
import type { PanelCarried, Site } from './plan-run'
import { planRun } from './plan-run'
import { holdPolicy, hopefulTries } from './policy-cache'
import { reserveForPanel } from './reserve-for-panel'
import { type CheckedRunInput, StartRunInput } from './schemas'
import { withoutMemory } from './start-run'

/** How often a panel is planned again because the policy changed before it was stored, although it was held. */
const mostTries = 10

type RunFields = Pick<CheckedRunInput, 'prompt' | 'files' | 'outputSchema' | 'costCap'> &
  Partial<Pick<CheckedRunInput, 'task' | 'variables'>>

/**
 * One member that is asked for. `costCap` is its own, `panelCap` that of all members together; `ofTask`: the task whose
 * skills it has beside its own prompt.
 */
export type Wish = RunFields & {
  configuration: string
  ofTask?: string | undefined
  tools: string[]
  hops: number
  panelCap: PanelStart['costCap']
  /** What somebody chose about it before the member began. */
  panelCapDecision?: CapDecision | null
  role?: PanelRole
  instructions?: string
}

/** What the audit calls the start of a panel. */
export const panelActions = ['panel.start', 'panel.coordinate'] as const
type PanelAction = (typeof panelActions)[number]

export type NewPanel<A extends PanelAction = never> = {
  /** With a task, its prompt is that of the panel. */
  asked: { prompt: string; idempotencyKey: string | null }
  /** What a repeated start is told by; left out = everything that is asked for. */
  hashed?: object
  wishes: readonly Wish[]
  /** The places of the members that begin at once; the others have their turn later. */
  begins: readonly number[]
  start: Omit<PanelStart, 'members'>
  /** What the audit keeps beside the names of the configurations, and as which action; left out = the caller's own. */
  audited: object
  action?: A
  /** Throws for members that cannot be in one panel. */
  check?: (members: readonly PlannedMember[]) => void
}

type AnyPanel = NewPanel<PanelAction>

/**
 * Stores a panel, the members that begin at once and what budgets hold for their first requests in one transaction: all or
 * nothing. The same `idempotencyKey` with the same input returns the same panel.
 */
export async function storePanel<A extends PanelAction>(
  ctx: Ctx,
  change: MakeChange<A>,
  panel: NewPanel<A>,
): Promise<{ panelId: string; created: boolean }> {
  if (shutdownSignal.aborted)
    throw new UnavailableError('Toolgate is stopping. Try again in a moment.')
  const engine = runningEngine()
  const site = engine ?? withoutMemory(database())
  const { client } = site.database
  const inputHash = hashOf(panel)
  const { idempotencyKey } = panel.asked
  const known = await findByKey(client, ctx, idempotencyKey, inputHash)
  if (known) return known
  const room = engine?.places.room() ?? panel.begins.length
  const release = engine?.places.hold(panel.begins.length)
  try {
    for (let tries = 1; tries <= mostTries; tries++) {
      const panelId = newId()
      const isHeld = tries > hopefulTries
      const planIn = (from?: Tx) => planMembers(site, ctx, { panel, panelId }, from)
      const hopeful = isHeld ? null : await planIn(tries > 1 ? client : undefined)
      const store = async (tx: ChangeTx) => {
        const members = hopeful ?? (await planIn(tx))
        if (!(await insertPanel(tx, ctx, { panel, panelId, inputHash, members })))
          return unchanged(null)
        const plans = panel.begins.flatMap((place) => members[place]?.planned ?? [])
        const begun = await insertMembers(site, ctx, { engine, room, plans }, tx)
        await reserveForPanel(site, engine, plans, tx)
        const configurations = members.map(({ name }) => name)
        const after = { configurations, ...panel.audited }
        const action = panel.action && { action: panel.action }
        return changed(begun, { subject: panelId, before: null, after, ...action })
      }
      const begun = await change(store, (work) =>
        isHeld ? holdPolicy(site.database, work) : withTransaction(work, client),
      ).catch(unlessPolicyChanged)
      if (begun === 'policy-changed') continue
      if (begun === null) {
        const same = await findByKey(client, ctx, idempotencyKey, inputHash)
        if (same) return same
        continue
      }
      for (const run of begun) engine?.start(run)
      return { panelId, created: true }
    }
  } finally {
    release?.()
  }
  throw new UnavailableError('The configurations are being changed. Try again in a moment.')
}

/** Takes the transaction back: what the members were planned with is no longer so. */
class PolicyChangedError extends Error {}

/** Returns that the policy changed, for such an error; throws others. */
export function unlessPolicyChanged(error: unknown): 'policy-changed' {
  if (error instanceof PolicyChangedError) return 'policy-changed'
  throw error
}

/** A member that can start, or one that was refused. */
export type PlannedMember =
  | { name: string; planned: Planned; refusal: null }
  | { name: string; planned: null; refusal: string; error: AppError }

async function planMembers(
  site: Site,
  ctx: Ctx,
  { panel, panelId }: { panel: AnyPanel; panelId: string },
  from: Tx | undefined,
): Promise<PlannedMember[]> {
  const members: PlannedMember[] = []
  // In a transaction, statements cannot be sent at once.
  for (const [place, wish] of panel.wishes.entries())
    members.push(await planMember(site, ctx, { wish, panelId, place }, from))
  panel.check?.(members)
  const begins = panel.begins.map((place) => members[place])
  const [first] = begins
  if (first?.planned === null && begins.every((member) => member?.planned === null))
    throw first.error
  return members
}

type Wished = { wish: Wish; panelId: string; place: number; carried?: PanelCarried }

/**
 * Plans one member. What it may not do now is kept with it; what can never be, such as a configuration that does not
 * exist, is thrown for the whole panel.
 */
export async function planMember(
  site: Site,
  ctx: Ctx,
  { wish, panelId, place, carried }: Wished,
  from: Tx | undefined,
): Promise<PlannedMember> {
  const { configuration: name, hops, role, instructions, ofTask: task, ...rest } = wish
  const { panelCap: costCap, panelCapDecision: capDecision, ...fields } = rest
  const run = StartRunInput.parse({ configuration: name, ...fields })
  const limits = { hops, costCap, capDecision, role, instructions }
  const panel = { panelId, place, ...limits, carried, task }
  const plan = (tx: Tx | undefined) => planRun(site, ctx, { ...run, panel }, tx)
  try {
    // What memory refuses is read before it is said: word of a change may still be on its way.
    const planned = await (from
      ? plan(from)
      : plan(undefined).catch(() => plan(site.database.client)))
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

type Stored = {
  panel: AnyPanel
  panelId: string
  inputHash: string
  members: readonly PlannedMember[]
}

/** Stores the row of a panel. Returns false when its idempotency key has one. */
async function insertPanel(
  tx: ChangeTx,
  ctx: Ctx,
  { panel, panelId, inputHash, members }: Stored,
): Promise<boolean> {
  const { asked, wishes, begins } = panel
  const kept = members.map(({ name, planned, refusal }, place): PanelMember => {
    const { role, instructions, hops, costCap } = wishes[place] ?? {}
    const begun = begins.includes(place)
    return {
      configurationId: planned?.snapshot.configurationId ?? null,
      name,
      runId: (begun && planned?.run.runId) || null,
      refusal: begun ? refusal : null,
      ...(role && { role, instructions: instructions ?? '', hops: hops ?? 0, costCap }),
    }
  })
  const [first] = begins.flatMap((place) => members[place]?.planned ?? [])
  const prompt = first?.snapshot.task ? first.run.start.data.prompt : asked.prompt
  const start = { ...panel.start, task: first?.snapshot.task, members: kept }
  const { count } = await tx.panel.createMany({
    data: [
      {
        ...{ id: panelId, userId: ctx.actor.userId, prompt, source: ctx.via },
        ...{ idempotencyKey: asked.idempotencyKey, idempotencyHash: inputHash },
        ...{ start, hasTurns: begins.length < members.length },
        ...{ apiKeyId: ctx.apiKeyId ?? null, accessEpoch: first?.run.accessEpoch ?? 0 },
        createdAt: new Date(),
      },
    ],
    skipDuplicates: true,
  })
  return count > 0
}

type Inserting = {
  engine: Engine | undefined
  /** How many more runs the engine may work on. */
  room: number
  plans: readonly Planned[]
}

/** Stores the runs of members. Returns those that may begin now. Throws what `unlessPolicyChanged` knows. */
export async function insertMembers(
  site: Site,
  ctx: Ctx,
  { engine, room, plans }: Inserting,
  tx: Tx,
): Promise<NewRun[]> {
  const { instanceId = null, places } = engine ?? {}
  const begun: NewRun[] = []
  for (const planned of plans) {
    const by = {
      asked: { continues: null, changedFrom: null, idempotencyKey: null },
      inputHash: '',
      instanceId,
      hasRoom: begun.length < room,
      queued: places?.queued ?? false,
    }
    const inserted = await insertRun(site.database, ctx, { ...planned, ...by }, tx)
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

function hashOf({ asked, wishes, start, hashed }: AnyPanel): string {
  const whole = hashed ?? { asked, wishes, start }
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex')
}
