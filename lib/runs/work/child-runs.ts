import 'server-only'
import pLimit, { type LimitFunction } from 'p-limit'
import { usableBy } from '@/lib/domains/configurations/usable'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { zone } from '@/lib/engines/runtime/policy/gates'
import { conversationReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import type { ResourceCaller } from '@/lib/engines/tools/bind-tool'
import type { AskedRun, RunAnswer, RunResources } from '@/lib/engines/tools/tool-resources'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { AppError, NotFoundError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { addCost } from '@/lib/protocol/cost/cost'
import { keyRefusesConfiguration } from '@/lib/protocol/key-limits'
import { childLimits } from '@/lib/protocol/run/child-runs'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { answerOf } from '@/lib/protocol/run/run-answer'
import type { EndReason } from '@/lib/protocol/run/run-event'
import { DataClass, ToolError } from '@/lib/protocol/tool'
import { zoneWords } from '@/lib/protocol/trust-words'
import { cancelRuns } from '@/lib/runs/engine/cancel-runs'
import type { Engine } from '@/lib/runs/engine/engine'
import type { LiveRun } from '@/lib/runs/engine/live-runs'
import { channels } from '@/lib/runs/journal/notifications'
import { watchRun } from '@/lib/runs/journal/watch-run'
import { StartRunInput } from '@/lib/runs/schemas'
import { childTools, type ParentOfRun, readBy } from '@/lib/runs/start/child-plan'
import type { Planned } from '@/lib/runs/start/insert-run'
import { planRun } from '@/lib/runs/start/plan-run'
import { beginRun } from '@/lib/runs/start/start-run'
import { visibleText } from '@/lib/words/clean-text'
import { inSentence } from '@/lib/words/format'
import { readChildren } from './read-children'

/** Returns the runs that the calls of a live run may start. They run on the same engine, for the same person. */
export function childRuns(engine: Engine, live: LiveRun, caller: ResourceCaller): RunResources {
  const { client } = engine.database
  const { runId } = live.deps
  const { apiKeyId } = live.question
  const { actor } = caller
  const ctx: Ctx = { actor, via: 'run', ipAddress: null, ...(apiKeyId !== null && { apiKeyId }) }
  const plan = async (request: AskedRun, callId: string) => {
    const parent = await parentOf(live, callId, await readChildren(client, runId))
    const tools = childTools(parent, request.tools)
    const { configuration, prompt } = request
    return { ...StartRunInput.parse({ configuration, prompt, tools }), tools, parent }
  }
  const inWords = (error: unknown) => inTheirWords(client, { live, ctx }, error)
  return {
    shown: async (request, callId) => {
      await requireRoom(client, runId, askedBefore(live, callId))
      const input = await plan(request, callId).catch(inWords)
      return shownPlan(await planRun(engine, ctx, input, client).catch(inWords))
    },
    ask: async (request, { callId, signal: stop, started }) => {
      const { input, childId } = await inTurn(runId, async () => {
        stop.throwIfAborted()
        await requireRoom(client, runId)
        const input = await plan(request, callId).catch(inWords)
        const { runId: childId } = await beginRun(ctx, input, engine).catch(inWords)
        return { input, childId }
      })
      const narrowed = watchTools(engine, live, input.tools)
      let state = initialRunState
      try {
        await started?.(childId)
        const signal = AbortSignal.any([stop, narrowed.signal])
        for await (const updates of watchRun(ctx, childId, { after: { seq: 0 }, signal }, engine))
          state = foldRun(updates, state)
      } finally {
        narrowed.close()
        if (!state.end) await stopAtLast(engine, childId)
      }
      if (narrowed.signal.aborted && !state.end) throw narrowed.signal.reason
      const answer = answerIn(childId, state)
      await refuseTooSensitive(live, state)
      return answer
    },
  }
}

/** Watches whether a run may still use what it has let another one use: `signal` aborts with a ToolError when it may not. */
function watchTools({ notifications }: Engine, { deps }: LiveRun, names: readonly string[]) {
  const controller = new AbortController()
  const check = async () => {
    const subject = await deps.loadSubject()
    const lost = names.find((name) => !decideTool(deps.tools.get(name), subject).allowed)
    if (lost === undefined) return
    const why = `The run that it started was stopped, because this run may no longer use ${lost}.`
    controller.abort(new ToolError('narrowed', why))
  }
  const unsubscribe = notifications.subscribe(channels.policy, () => {
    // A read that fails stops both runs by itself.
    void check().catch(() => undefined)
  })
  return { signal: controller.signal, close: unsubscribe }
}

async function parentOf(
  { state, deps, question, calls }: LiveRun,
  callId: string,
  children: Awaited<ReturnType<typeof readChildren>>,
): Promise<ParentOfRun> {
  const childrenMicroUsd = children.reduce<number | null>(
    (sum, { costMicroUsd }) => addCost(sum, costMicroUsd),
    0,
  )
  const begun = new Set(children.map((child) => child.callId))
  const starting = [...calls].filter((call) => call.tool?.startsRuns && !begun.has(call.callId))
  const subject = await deps.loadSubject()
  const { runId, tools, earlier = [] } = deps
  return {
    runId,
    callId,
    earlier,
    tools,
    accessEpoch: question.accessEpoch ?? 0,
    freezes: question.freezes,
    state: { ...state, childrenMicroUsd },
    heldMicroUsd: children.reduce((sum, child) => sum + child.heldMicroUsd, 0),
    // While an approver is shown the call, none of them starts.
    sharers: Math.max(1, starting.length),
    subject: { ...subject, untrustedReads: conversationReads(state, deps) },
  }
}

/** The runs whose calls are about to start others. */
const turns = new Map<string, LimitFunction>()

/**
 * Starts one run after the other for the calls of a run, so that each counts those before it, and what they may cost. No other process
 * starts any: the statement that stores one requires that this process works on the run.
 */
async function inTurn<T>(runId: string, start: () => Promise<T>): Promise<T> {
  const own = turns.get(runId) ?? pLimit(1)
  turns.set(runId, own)
  try {
    return await own(start)
  } finally {
    if (own.activeCount + own.pendingCount === 0) turns.delete(runId)
  }
}

/** Throws ToolError when a run has started as many others as it may, or will when these calls are approved. */
async function requireRoom(
  client: Tx,
  runId: string,
  request: readonly string[] = [],
): Promise<void> {
  const { ofRun } = childLimits
  const others = [{ parentCallId: null }, { parentCallId: { notIn: [...request] } }]
  const where = { parentRunId: runId, OR: others }
  if ((await client.run.count({ where })) + request.length < ofRun) return
  throw new ToolError(
    'run-full',
    `This run has started ${ofRun} runs, and a run may start no more. Do the rest yourself.`,
  )
}

/** Returns the calls of the same answer before this one that may still start a run: they are asked about or run first. */
function askedBefore({ state, deps }: LiveRun, callId: string): string[] {
  const calls = state.rounds.at(-1)?.calls ?? []
  const at = calls.findIndex((call) => call.callId === callId)
  const open = calls.slice(0, Math.max(0, at)).filter(({ name, approval, state: { type } }) => {
    const isDenied = approval?.decision?.type === 'denied' || approval?.decision?.type === 'expired'
    return !isDenied && type !== 'ended' && deps.tools.get(name)?.startsRuns
  })
  return open.map((call) => call.callId)
}

/** Returns what would be started. Whoever approves it approves this. */
function shownPlan({ run, snapshot }: Planned): string {
  const { accepted, prompt } = run.start.data
  const models = snapshot.targets.map(
    ({ modelId, connectionName, trustZone }) =>
      `${modelId} on ${connectionName} (${inSentence(zoneWords[trustZone])})`,
  )
  const names = accepted.map(({ name }) => name).join(', ')
  return [
    `Configuration: ${snapshot.configurationName} (${snapshot.configurationIdentifier})`,
    `${models.length > 1 ? 'Models in order' : 'Model'}: ${models.join(', then ')}`,
    `Tools: ${names || 'none'}`,
    '',
    visibleText(prompt),
  ].join('\n')
}

/** Rejects with what the model is told. What nobody expected stays as it is. */
async function inTheirWords(
  client: Tx,
  { live, ctx }: { live: LiveRun; ctx: Ctx },
  error: unknown,
): Promise<never> {
  if (!(error instanceof AppError)) throw error
  if (!(error instanceof NotFoundError)) throw new ToolError(error.code, error.message)
  const { apiKey } = await live.deps.loadSubject()
  const rows = await client.configuration.findMany({
    where: usableBy(ctx.actor),
    select: { id: true, name: true, identifier: true },
    orderBy: { identifier: 'asc' },
  })
  const names = rows
    .filter((row) => !apiKey || keyRefusesConfiguration(apiKey, row) === null)
    .map(({ identifier }) => identifier)
  throw new ToolError(
    'not-found',
    `Configuration not found or not permitted. You may use: ${names.slice(0, mostNamed).join(', ')}.`,
  )
}

const mostNamed = 30

/** After these, what is there of an answer is not what anybody asked for. */
const stopped: ReadonlySet<EndReason> = new Set(['cancelled', 'frozen', 'revoked'])

/** Returns the answer of a run that ended. Throws ToolError with the reason when it has none. */
function answerIn(runId: string, state: RunState): RunAnswer {
  const { start, end } = state
  if (!start || !end) throw new ToolError('no-answer', `The run ${runId} has no end.`)
  const text = answerOf(state)
  const why = end.message === '' ? `Its end: ${end.reason}.` : end.message
  if (text === '' || stopped.has(end.reason)) {
    throw new ToolError('no-answer', `The run ${runId} ended without an answer. ${why}`)
  }
  const isWhole = end.reason === 'completed' && !end.truncated
  return {
    runId,
    configuration: start.snapshot.configurationIdentifier,
    answer: text,
    unfinished: isWhole ? null : why,
    dataClass: highestOf(state),
  }
}

function highestOf(state: RunState): DataClass | null {
  const read = new Set(readBy(state, []).map(({ dataClass }) => dataClass))
  return DataClass.options.findLast((each) => read.has(each)) ?? null
}

/** Throws ToolError when the models of a run may not have what a run has read that it started: an admin changed that meanwhile. */
async function refuseTooSensitive({ deps }: LiveRun, child: RunState): Promise<void> {
  const subject = await deps.loadSubject()
  for (const { name } of readBy(child, [])) {
    const tool = deps.tools.get(name)
    const reason = tool ? zone.denies(tool, subject) : null
    if (reason === null) continue
    throw new ToolError('refused', `The answer is made of what ${name} returned. ${reason}`)
  }
}

/** Name in the journal of a run that its parent stopped. */
const stopper = 'the run that started it'

/** Stops runs that calls started and that have not ended: all those of a run, or one. */
export async function stopChildRuns(
  client: Tx,
  which: { parentRunId: string } | { id: string },
): Promise<void> {
  // No person decides this: the call that started them is over, as the journal of their run says.
  const children = await cancelRuns(
    client,
    'id' in which
      ? Prisma.sql`id = ${which.id}::uuid`
      : Prisma.sql`"parentRunId" = ${which.parentRunId}::uuid`,
    { by: stopper, reason: 'Nobody waits for its answer any more.' },
  )
  for (const id of children)
    await client.$queryRaw`SELECT pg_notify(${channels.control}, ${id}) IS NULL AS notified`
}

const tries = 5

/** Stops one for certain: while the database does not answer, it cannot go on either. */
async function stopAtLast({ database, times }: Engine, runId: string): Promise<void> {
  for (let left = tries; left > 0; left--) {
    try {
      return await stopChildRuns(database.client, { id: runId })
    } catch (error) {
      log.error({ source: 'engine', runId, error: String(error) }, 'Cannot stop the run of a call')
      await new Promise((resolve) => setTimeout(resolve, times.retryMs))
    }
  }
}
