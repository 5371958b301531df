import 'server-only'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import { readRunLimits } from '@/lib/domains/settings/verbs'
import { schemaProblems } from '@/lib/json-schema/output-schema'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { isPriced } from '@/lib/protocol/cost/cost'
import type { CostCap } from '@/lib/protocol/cost/money'
import { noPriceWords } from '@/lib/protocol/model/model-families'
import { extraBodyFault } from '@/lib/protocol/model/own-body-fields'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { Startable } from '@/lib/runs/engine/engine'
import { keepSentParts } from '@/lib/runs/fork/plan-fork'
import type { CheckedRunInput } from '@/lib/runs/schemas'
import { withSchema, withTask } from '@/lib/toolset/policy/with-task'
import { requireMayStart } from '@/lib/toolset/schedules/consent'
import { formatCostMicroUsd } from '@/lib/words/format'
import { capsUnder, withParent } from './child-plan'
import { decide, policySteps, toPlanned } from './decide-run'
import type { Planned } from './insert-run'
import { auditedOverrides, requireOriginal, withOverrides } from './overrides'
import {
  type PlanInput,
  type PlanStep,
  type RunDraft,
  type StartContext,
  takeSteps,
} from './run-draft'
import { configurationOf, promptOf, readTask } from './task-of-run'
import { asTry } from './try-run'

/**
 * Reads all that a run begins with, and decides which tools it is offered. `from`: where it is read; left out = from
 * memory where nothing has changed.
 */
export async function planRun(
  context: StartContext,
  ctx: Ctx,
  input: PlanInput,
  from: Tx | undefined,
): Promise<Planned> {
  const begun = await beginDraft(context, ctx, input, from)
  const narrowed = await takeSteps(begun, snapshotSteps)
  const decided = await takeSteps(await decide(narrowed), policySteps)
  return toPlanned(decided)
}

/** Makes the snapshot that the run keeps. A refusal of an earlier step hides those of later ones. */
const snapshotSteps: readonly PlanStep<RunDraft>[] = [
  readOriginal,
  addOverrides,
  keepSentParts,
  refuseFaulty,
  limitRounds,
  renderPrompt,
  replaceModelsOfTry,
  addTask,
  addRunCap,
  addSchema,
  addPanel,
  addParent,
  refuseUncheckable,
]

/** Reads the task and the configuration of a run. */
async function beginDraft(
  context: StartContext,
  ctx: Ctx,
  input: PlanInput,
  from: Tx | undefined,
): Promise<RunDraft> {
  const client = from ?? context.database.client
  const version = await context.policy.version(from)
  if (ctx.schedule) await requireMayStart(client, ctx.schedule)
  const task = await readTask(client, ctx, input)
  const createdAt = new Date(context.now())
  const configuration = configurationOf(input, task)
  const startable = await readSnapshot(context, ctx, configuration, { version, createdAt, client })
  return {
    ...startable,
    context,
    ctx,
    input,
    from,
    client,
    version,
    createdAt,
    task,
    prompt: input.prompt,
    variables: {},
    maxRounds: startable.snapshot.maxRounds,
    overridden: [],
    auditedOverrides: {},
    startersBefore: [],
  }
}

/** Returns the configuration as a run of this person would keep it, from memory where nothing has changed. */
function readSnapshot(
  { snapshots }: StartContext,
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

async function readOriginal(draft: RunDraft): Promise<RunDraft> {
  const { client, ctx, input } = draft
  const isFork = input.fork !== undefined
  const startersBefore = await requireOriginal(client, ctx, input.changedFrom, { isFork })
  return { ...draft, startersBefore }
}

async function addOverrides(draft: RunDraft): Promise<RunDraft> {
  const { client, ctx, input, createdAt } = draft
  const changes = { overrides: input.overrides, at: createdAt }
  const changed = await withOverrides(client, ctx, draft.snapshot, changes)
  return { ...draft, ...changed, auditedOverrides: auditedOverrides(changed) }
}

/** Throws ValidationError for extra body fields that Toolgate sets itself now: they would be left out silently. */
function refuseFaulty(draft: RunDraft): RunDraft {
  const { options, targets, configurationName } = draft.snapshot
  const chain = targets.map(({ wire, modelId }) => ({ wire, modelName: modelId }))
  const fault = extraBodyFault(options?.extraBody, chain)
  if (fault === null) return draft
  throw new ValidationError({ configuration: `${configurationName} cannot run. ${fault}` })
}

/** Limits rounds to 1 and the maximum of the site, and for a member to that of the configuration (SPEC R3). */
function limitRounds(draft: RunDraft): RunDraft {
  const { ctx, input, snapshot, limits } = draft
  const most = limits.maxRounds
  const limit = roleWithinKey(ctx) === 'admin' ? most : Math.min(most, snapshot.maxRounds)
  const maxRounds = Math.min(limit, Math.max(1, input.maxRounds ?? snapshot.maxRounds))
  return { ...draft, maxRounds }
}

function renderPrompt(draft: RunDraft): RunDraft {
  const { input, task } = draft
  return { ...draft, ...promptOf(input, input.task === null ? null : task) }
}

function replaceModelsOfTry(draft: RunDraft): RunDraft {
  return draft.ctx.via === 'try' ? { ...draft, snapshot: asTry(draft.snapshot) } : draft
}

function addTask(draft: RunDraft): RunDraft {
  return { ...draft, snapshot: withTask(draft.snapshot, draft.task) }
}

function addRunCap(draft: RunDraft): RunDraft {
  const { input, snapshot, task } = draft
  // In a panel of a task, the task sets the cap of a member (`setBy`), so only an admin may loosen it.
  const setBy = input.panel && task ? { setBy: 'task' as const } : {}
  const own = ownCap(input.costCap, snapshot)
  return { ...draft, snapshot: withRunCap(snapshot, { costCap: own && { ...own, ...setBy } }) }
}

function addSchema(draft: RunDraft): RunDraft {
  const { input, snapshot, maxRounds } = draft
  return { ...draft, snapshot: withSchema({ ...snapshot, maxRounds }, input.outputSchema) }
}

/** Adds the limits of its panel (SPEC Q1, Q3). Throws ConflictError as `withRunCap` does. */
function addPanel(draft: RunDraft): RunDraft {
  const { snapshot, input } = draft
  if (!input.panel) return draft
  const { hops: hopBudget, costCap, instructions = '' } = input.panel
  const systemPrompt = [snapshot.systemPrompt, instructions]
    .filter((part) => part !== '')
    .join('\n\n')
  const limited = { ...snapshot, systemPrompt, hopBudget, startsNoRuns: 'panel' as const }
  if (!costCap) return { ...draft, snapshot: limited }
  const costCaps = [...snapshot.costCaps, { scope: 'panel' as const, ...costCap }]
  return { ...draft, snapshot: withCaps(limited, costCaps) }
}

function addParent(draft: RunDraft): RunDraft {
  const { snapshot, input } = draft
  const { parent } = input
  if (!parent) return draft
  const limited = withParent(snapshot, parent)
  return { ...draft, snapshot: withCaps(limited, capsUnder(snapshot, parent)) }
}

/** Throws ValidationError for a stored answer schema that older versions accepted and no answer can be checked with. */
function refuseUncheckable(draft: RunDraft): RunDraft {
  const { options } = draft.snapshot
  const [problem] = options?.outputSchema ? schemaProblems(options.outputSchema) : []
  if (problem === undefined) return draft
  throw new ValidationError({ outputSchema: `The answer schema cannot be checked. ${problem}` })
}

/**
 * Returns the cap that a run is started with; null = none. Throws ValidationError for `off` where its configuration or task
 * has one: a run only narrows (SPEC G-X).
 */
export function ownCap(
  request: CheckedRunInput['costCap'],
  { costCaps }: Pick<RunSnapshot, 'costCaps'>,
): Pick<CostCap, 'mode' | 'limitMicroUsd'> | null {
  const { mode, limitMicroUsd } = request ?? {}
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
