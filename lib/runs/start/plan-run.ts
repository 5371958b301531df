import 'server-only'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import { freezeSentence, readFreeze } from '@/lib/domains/settings/read-freeze'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import { planOffer, type RunInput, runStart } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { parentReads, promptReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import { schemaProblems } from '@/lib/json-schema/output-schema'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { isPriced } from '@/lib/protocol/cost/cost'
import { costOfTurns } from '@/lib/protocol/cost/cost-caps'
import type { CapDecision, CostCap } from '@/lib/protocol/cost/money'
import { noPriceWords } from '@/lib/protocol/model/model-families'
import { extraBodyFault } from '@/lib/protocol/model/own-body-fields'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import type { PanelCap } from '@/lib/protocol/panel/panel-start'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import {
  readsOf,
  refuseCarried,
  refuseCostly,
  requireTurns,
  type StoredTurn,
} from '@/lib/runs/conversations/earlier-turns'
import type { Engine, Startable } from '@/lib/runs/engine/engine'
import { readRunFiles } from '@/lib/runs/files/read-run-files'
import type { CheckedRunInput, RunRequest } from '@/lib/runs/schemas'
import { withSchema, withTask } from '@/lib/toolset/policy/with-task'
import { requireMayStart } from '@/lib/toolset/schedules/consent'
import { formatCostMicroUsd } from '@/lib/words/format'
import { capsUnder, type ParentOfRun, startedByOf, withParent } from './child-plan'
import type { Planned } from './insert-run'
import { auditedOverrides, requireOriginal, withOverrides } from './overrides'
import { readPromptMemory } from './prompt-memory'
import { startersOf } from './starters'
import { configurationOf, promptOf, readTask } from './task-of-run'
import { asTry } from './try-run'
import { readTools } from './versioned'

/** What a run takes from the panel that it is a member of. */
export type PanelOfRun = {
  panelId: string
  place: number
  hops: number
  costCap: PanelCap | null
  /** What somebody chose about it before; left out = nothing. */
  capDecision?: CapDecision | null | undefined
  role?: PanelRole | undefined
  instructions?: string | undefined
  /** What its prompt has from members before it; left out = nothing. */
  carried?: PanelCarried | undefined
  /** The task whose skills it has beside a prompt of its own; left out = none, or that of the run. */
  task?: string | undefined
}

/** Members that ended, whose words are in the prompt of a later one. */
export type PanelCarried = readonly StoredTurn[]

/** What a start reads with: the memory of an engine, or none. */
export type Site = Pick<Engine, 'database' | 'policy' | 'snapshots' | 'tools' | 'turns'>

/**
 * Reads all that a run begins with, and decides which tools it is offered. `from`: where it is read; left out = from
 * memory where nothing has changed.
 */
export async function planRun(
  site: Site,
  ctx: Ctx,
  asked: CheckedRunInput & { panel?: PanelOfRun; parent?: ParentOfRun },
  from: Tx | undefined,
): Promise<Planned> {
  const client = from ?? site.database.client
  const { actor, apiKeyId = null } = ctx
  const { userId } = actor
  const version = await site.policy.version(from)
  if (ctx.schedule) await requireMayStart(client, ctx.schedule)
  const task = await readTask(client, ctx, asked)
  const createdAt = new Date()
  const when = { version, createdAt, client }
  const { snapshot: read, limits } = await readSnapshot(
    site,
    ctx,
    configurationOf(asked, task),
    when,
  )
  const startersBefore = await requireOriginal(client, ctx, asked.changedFrom)
  const changed = await withOverrides(client, ctx, read, { ...asked, at: createdAt })
  refuseFaulty(changed.snapshot)
  const maxRounds = clampRounds(ctx, asked.maxRounds, read, limits.maxRounds)
  const { prompt, variables } = promptOf(asked, asked.task === null ? null : task)
  const request: RunRequest = { kind: 'prompt', tools: asked.tools, maxRounds, variables }
  const used = ctx.via === 'try' ? asTry(changed.snapshot) : changed.snapshot
  // Nobody sets a cap of a single member where a task says what its panel is.
  const setBy = asked.panel && task ? { setBy: 'task' as const } : {}
  const ofTask = withTask(used, task)
  const own = ownCap(asked.costCap, ofTask)
  const capped = withRunCap(ofTask, { costCap: own && { ...own, ...setBy } })
  const limited = withPanel(withSchema({ ...capped, maxRounds }, asked.outputSchema), asked.panel)
  const { parent } = asked
  const asRead = parent
    ? withCaps(withParent(limited, parent), capsUnder(limited, parent))
    : limited
  refuseUncheckable(asRead)
  const question = {
    userId,
    apiKeyId,
    freezes: parent?.freezes ?? null,
    snapshot: asRead,
    selected: request.tools,
  }
  const reading = await site.policy.read(question, from)
  const { subject, version: decidedBy } = reading
  if (subject.frozen) await refuseFrozen(client, subject.frozen)
  // The caller's role and memberships were read before.
  if (subject.revoked.run !== null) throw new ForbiddenError(subject.revoked.run)
  const turns = await readBefore(site, client, ctx, asked.continues)
  const starters = startersOf(ctx, { task, startersBefore, turns, parent })
  const snapshot = { ...asRead, grantedBySkills: grantedBy(subject), ...starters }
  const carried = asked.panel?.carried ?? []
  refuseCarried(turns, snapshot)
  // What is in the prompt goes to whichever model of the chain is asked.
  for (const target of snapshot.targets) refuseCarried(carried, { ...snapshot, targets: [target] })
  const turnBefore = lastOf(turns)
  if (turnBefore) refuseCostly(turnBefore.cost, snapshot)
  const files = await readRunFiles(client, ctx, asked.files, snapshot)
  const tools = await readTools(site, version, client)
  const hasNotes = turns.some(({ state }) => state.start?.memory?.type === 'read')
  const memory = hasNotes
    ? undefined
    : await readPromptMemory(client, { userId, snapshot, tools, subject })
  const reads = readsOf(carried, tools)
  const startedBy = parent && startedByOf(parent)
  const untrustedReads = [
    ...[...promptReads(memory), ...parentReads(startedBy)],
    ...[...readsOf(turns, tools), ...reads],
  ]
  const offer = planOffer(tools, { ...subject, untrustedReads })
  const { overridden } = changed
  const changedFrom = asked.changedFrom ?? undefined
  const panel = asked.panel && { ...asked.panel, reads }
  const begun = { prompt, turnBefore, panel, parent: startedBy, files, memory, actor, snapshot }
  const start = runStart({ ...begun, overridden, changedFrom }, offer, newId)
  const after = {
    configuration: snapshot.configurationIdentifier,
    ...(snapshot.task && { task: snapshot.task.identifier }),
    tools: request.tools,
    ...(turnBefore && { continues: turnBefore.runId }),
    ...(panel && { panel: panel.panelId }),
    ...(parent && { startedBy: parent.runId }),
    ...(changedFrom && { changedFrom }),
    ...auditedOverrides(changed),
    ...(files.length > 0 && { files: files.map(({ name, dataClass }) => ({ name, dataClass })) }),
    maxRounds,
    ...(asked.costCap && { costCap: asked.costCap }),
    ...(asked.outputSchema && { outputSchema: asked.outputSchema }),
  }
  const { accessEpoch, freezes } = parent ?? reading
  const runId = newId()
  const run = { runId, userId, apiKeyId, accessEpoch, freezes, request, createdAt, start }
  const conversationId = turns[0]?.runId ?? null
  const policyVersion = olderOf(version, decidedBy)
  return { run, conversationId, snapshot, after, limits, policyVersion }
}

/** Returns the turns that a run continues; none when it continues none. */
async function readBefore(
  { turns: memory }: Site,
  client: Tx,
  ctx: Ctx,
  runId: string | null,
): Promise<StoredTurn[]> {
  return runId === null ? [] : requireTurns(client, ctx, { memory, runId })
}

function lastOf(turns: readonly StoredTurn[]): RunInput['turnBefore'] {
  const last = turns.at(-1)
  if (!last?.state.start) return undefined
  const cost = costOfTurns(turns.map(({ state }) => state))
  return { runId: last.runId, start: last.state.start, cost }
}

/** Returns the older of two versions: what was read under different ones is not proven by the newer. */
function olderOf(one: string, other: string): string {
  return BigInt(one) < BigInt(other) ? one : other
}

/** Returns the configuration as a run of this person would keep it, from memory where nothing has changed. */
function readSnapshot(
  { snapshots }: Site,
  ctx: Ctx,
  idOrIdentifier: string,
  { version, createdAt, client }: { version: string; createdAt: Date; client: Tx },
): Promise<Startable> {
  const { role, userId } = ctx.actor
  const key = `${role}/${userId}/${idOrIdentifier}`
  const readNow = async () => {
    const snapshot = await readConfiguration(client, ctx, idOrIdentifier, createdAt)
    const value = { snapshot, limits: await readRunLimits(client) }
    const next = await client.modelPrice.findFirst({
      where: {
        modelRecordId: { in: snapshot.targets.map(({ modelRecordId }) => modelRecordId) },
        validFrom: { gt: createdAt },
      },
      orderBy: { validFrom: 'asc' },
      select: { validFrom: true },
    })
    return { value, until: next?.validFrom.getTime() ?? Number.POSITIVE_INFINITY }
  }
  return snapshots(key, version, readNow, client)
}

/** Throws ValidationError for extra body fields that Toolgate sets itself now: they would be left out silently. */
function refuseFaulty({ options, targets, configurationName }: RunSnapshot): void {
  const chain = targets.map(({ wire, modelId }) => ({ wire, modelName: modelId }))
  const fault = extraBodyFault(options?.extraBody, chain)
  if (fault === null) return
  throw new ValidationError({ configuration: `${configurationName} cannot run. ${fault}` })
}

/** Throws ValidationError for a stored answer schema that older versions accepted and no answer can be checked with. */
function refuseUncheckable({ options }: RunSnapshot): void {
  const [problem] = options?.outputSchema ? schemaProblems(options.outputSchema) : []
  if (problem === undefined) return
  throw new ValidationError({ outputSchema: `The answer schema cannot be checked. ${problem}` })
}

/** Returns the tools that the skills grant now; the run keeps them. */
function grantedBy({ configuration }: Subject): string[] | null {
  const granted = configuration?.grantedBySkills
  return granted ? [...granted].sort() : null
}

/** Throws ForbiddenError. A freeze that was lifted still stops what a run from before it wants to start (SPEC G-Z). */
async function refuseFrozen(tx: Tx, { by }: NonNullable<Subject['frozen']>): Promise<never> {
  const freeze = await readFreeze(tx)
  throw new ForbiddenError(
    freeze
      ? `${freezeSentence(freeze)} No run can start until an admin unfreezes it.`
      : `${by} froze this site after the run that starts this one had begun.`,
  )
}

/** Limits rounds to 1 and the maximum of the site, and for a member to that of the configuration (SPEC R3). */
function clampRounds(ctx: Ctx, asked: number | null, snapshot: RunSnapshot, most: number): number {
  const limit = roleWithinKey(ctx) === 'admin' ? most : Math.min(most, snapshot.maxRounds)
  return Math.min(limit, Math.max(1, asked ?? snapshot.maxRounds))
}

/**
 * Returns the cap that a run is started with; null = none. Throws ValidationError for `off` where its configuration or task
 * has one: a run only narrows (SPEC G-X).
 */
export function ownCap(
  asked: CheckedRunInput['costCap'],
  { costCaps }: Pick<RunSnapshot, 'costCaps'>,
): Pick<CostCap, 'mode' | 'limitMicroUsd'> | null {
  const { mode, limitMicroUsd } = asked ?? {}
  if (mode !== undefined && mode !== 'off' && limitMicroUsd !== undefined)
    return { mode, limitMicroUsd }
  const [cap] = costCaps
  if (mode !== 'off' || !cap) return null
  const limit = formatCostMicroUsd(cap.limitMicroUsd)
  throw new ValidationError({
    costCap: `The ${cap.scope} sets a cost cap of ${limit}, which a run cannot lift. Leave “off” out, or pick a configuration and a task without a cap.`,
  })
}

/**
 * Returns the snapshot with the cost cap of this run beside those of its configuration and task: it can only narrow
 * (SPEC M4). Throws ConflictError when a cap is enforced and the model has no price, because the cost would be unknown.
 */
export function withRunCap(
  snapshot: RunSnapshot,
  { costCap }: { costCap: Omit<CostCap, 'scope'> | null },
): RunSnapshot {
  const costCaps = costCap
    ? [...snapshot.costCaps, { scope: 'run' as const, ...costCap }]
    : snapshot.costCaps
  return withCaps(snapshot, costCaps)
}

/** Returns the snapshot with the limits of its panel (SPEC Q1, Q3). Throws ConflictError as `withRunCap` does. */
function withPanel(snapshot: RunSnapshot, panel: PanelOfRun | undefined): RunSnapshot {
  if (!panel) return snapshot
  const { hops: hopBudget, costCap, instructions = '' } = panel
  const systemPrompt = [snapshot.systemPrompt, instructions]
    .filter((part) => part !== '')
    .join('\n\n')
  const limited = { ...snapshot, systemPrompt, hopBudget, startsNoRuns: 'panel' as const }
  if (!costCap) return limited
  return withCaps(limited, [...snapshot.costCaps, { scope: 'panel', ...costCap }])
}

function withCaps(snapshot: RunSnapshot, costCaps: RunSnapshot['costCaps']): RunSnapshot {
  const [target] = snapshot.targets
  const enforced = costCaps.some(({ mode }) => mode === 'enforce')
  if (enforced && target && !isPriced(target.prices)) {
    const { fault, cure } = noPriceWords(target)
    throw new ConflictError(
      `The cost cap would stop this run when reached, but ${target.modelId} ${fault}, so the cost cannot be checked. Either ${cure}, or set the cap to warn only.`,
    )
  }
  return { ...snapshot, costCaps }
}
