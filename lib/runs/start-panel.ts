import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
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
import { changed, unchanged, verb } from '@/lib/kernel/verb'
import type { PanelMember, PanelStart } from '@/lib/protocol/panel-start'
import { type Engine, runningEngine } from './engine/engine'
import type { NewRun } from './engine/live-runs'
import { insertRun, type Planned } from './insert-run'
import { type CheckedPanelInput, StartPanelInput } from './panel-schemas'
import { planRun, type Site } from './plan-run'
import { holdPolicy, hopefulTries } from './policy-cache'
import { reserveForPanel } from './reserve-for-panel'
import { StartRunInput } from './schemas'
import { withoutMemory } from './start-run'

/** How often a panel is planned again because the policy changed before it was stored, although it was held. */
const mostTries = 10

/**
 * The panel, its members and what budgets hold for their first requests are stored in one transaction: all or nothing. A
 * member that may not run now is kept with the reason, and the others start. The same `idempotencyKey` returns the
 * same panel. Throws ConflictError when the budgets have no room for all of them (SPEC Q3).
 */
export const startPanel = verb({
  name: 'panel.start',
  role: 'member',
  scope: 'runs:write',
  summary:
    'Runs one prompt on several configurations at once; with a known Idempotency-Key, returns the panel that has it.',
  input: StartPanelInput,
  output: z.object({ panelId: z.string(), created: z.boolean() }),
  transaction: 'later',
  run: async ({ ctx, change }, asked) => {
    if (shutdownSignal.aborted)
      throw new UnavailableError('Toolgate is stopping. Try again in a moment.')
    const engine = runningEngine()
    const site = engine ?? withoutMemory(database())
    const { client } = site.database
    const inputHash = hashOf(asked)
    const known = await findByKey(client, ctx, asked.idempotencyKey, inputHash)
    if (known) return known
    const room = engine?.places.room() ?? asked.configurations.length
    const release = engine?.places.hold(asked.configurations.length)
    try {
      for (let tries = 1; tries <= mostTries; tries++) {
        const panelId = newId()
        const isHeld = tries > hopefulTries
        const planIn = (from?: Tx) => planMembers(site, ctx, { asked, panelId }, from)
        const hopeful = isHeld ? null : await planIn(tries > 1 ? client : undefined)
        const store = async (tx: ChangeTx) => {
          const members = hopeful ?? (await planIn(tx))
          const panel = { panelId, asked, inputHash, members }
          if (!(await insertPanel(tx, ctx, panel))) return unchanged(null)
          const begun = await insertMembers(site, ctx, { engine, room, members }, tx)
          await reserveForPanel(site, engine, plansOf(members), tx)
          return changed(begun, {
            subject: panelId,
            before: null,
            after: auditedStart(asked, members),
          })
        }
        const begun = await change(store, (work) =>
          isHeld ? holdPolicy(site.database, work) : withTransaction(work, client),
        ).catch(unlessPolicyChanged)
        if (begun === 'policy-changed') continue
        if (begun === null) {
          const same = await findByKey(client, ctx, asked.idempotencyKey, inputHash)
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
  },
})

/** Takes the transaction back: what the members were planned with is no longer so. */
class PolicyChangedError extends Error {}

function unlessPolicyChanged(error: unknown): 'policy-changed' {
  if (error instanceof PolicyChangedError) return 'policy-changed'
  throw error
}

/** A member that can start, or one that was refused. */
type PlannedMember =
  | { name: string; planned: Planned; refusal: null }
  | { name: string; planned: null; refusal: string; error: AppError }

function plansOf(members: readonly PlannedMember[]): Planned[] {
  return members.flatMap(({ planned }) => planned ?? [])
}

type Asked = { asked: CheckedPanelInput; panelId: string }

async function planMembers(
  site: Site,
  ctx: Ctx,
  asked: Asked,
  from: Tx | undefined,
): Promise<PlannedMember[]> {
  const { configurations } = asked.asked
  const members = await inOrder(configurations, (_, place) =>
    planMember(site, ctx, { ...asked, place }, from),
  )
  refuseDoubles(members)
  const [first] = members
  if (first?.planned === null && members.every(({ planned }) => planned === null)) throw first.error
  return members
}

/** Does `work` for one after the other: in a transaction, statements cannot be sent at once. */
async function inOrder<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>) {
  const results: R[] = []
  for (const [place, item] of items.entries()) results.push(await work(item, place))
  return results
}

/**
 * Plans one member. What it may not do now is kept with it; what can never be, such as a configuration that does not
 * exist, is thrown for the whole panel.
 */
async function planMember(
  site: Site,
  ctx: Ctx,
  { asked, panelId, place }: Asked & { place: number },
  from: Tx | undefined,
): Promise<PlannedMember> {
  const name = asked.configurations[place] ?? ''
  const { prompt, files, tools, outputSchema, hops, costCap, memberCostCap } = asked
  const run = StartRunInput.parse({
    configuration: name,
    prompt,
    files,
    tools,
    outputSchema,
    costCap: memberCostCap,
  })
  const plan = (tx: Tx | undefined) =>
    planRun(site, ctx, { ...run, panel: { panelId, hops, costCap } }, tx)
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

function refuseDoubles(members: readonly PlannedMember[]): void {
  const seen = new Set<string>()
  for (const [place, { planned }] of members.entries()) {
    const id = planned?.snapshot.configurationId
    if (id && seen.has(id))
      throw new ValidationError({
        [`configurations.${place}`]: `${planned?.snapshot.configurationName} is named twice. Name it once.`,
      })
    if (id) seen.add(id)
  }
}

type Panel = Asked & { inputHash: string; members: readonly PlannedMember[] }

/** Stores the row of a panel. Returns false when its idempotency key has one. */
async function insertPanel(
  tx: ChangeTx,
  ctx: Ctx,
  { panelId, asked, inputHash, members }: Panel,
): Promise<boolean> {
  const { idempotencyKey, prompt, tools, hops, costCap, memberCostCap } = asked
  const kept = members.map(
    ({ name, planned, refusal }): PanelMember => ({
      configurationId: planned?.snapshot.configurationId ?? null,
      name,
      runId: planned?.run.runId ?? null,
      refusal,
    }),
  )
  const start: PanelStart = { members: kept, tools, hops, costCap, memberCostCap }
  const row = { id: panelId, userId: ctx.actor.userId, prompt, source: ctx.via, start }
  const { count } = await tx.panel.createMany({
    data: [{ ...row, idempotencyKey, idempotencyHash: inputHash, createdAt: new Date() }],
    skipDuplicates: true,
  })
  return count > 0
}

type Inserting = {
  engine: Engine | undefined
  /** How many more runs the engine may work on. */
  room: number
  members: readonly PlannedMember[]
}

/** Stores the runs of a panel. Returns those that may begin now. */
async function insertMembers(
  site: Site,
  ctx: Ctx,
  { engine, room, members }: Inserting,
  tx: Tx,
): Promise<NewRun[]> {
  const { instanceId = null, places } = engine ?? {}
  const begun: NewRun[] = []
  for (const planned of plansOf(members)) {
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

/** Returns what the audit keeps of a panel; each member has a row of its own. */
function auditedStart(
  { tools, hops, costCap, memberCostCap }: CheckedPanelInput,
  members: readonly PlannedMember[],
) {
  return {
    configurations: members.map(({ name }) => name),
    ...(tools.length > 0 && { tools }),
    hops,
    ...(costCap && { costCap }),
    ...(memberCostCap && { memberCostCap }),
  }
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

function hashOf(asked: CheckedPanelInput): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}
