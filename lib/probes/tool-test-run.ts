import 'server-only'
import { releaseReservation } from '@/lib/domains/budgets/release-reservations'
import type { Provider } from '@/lib/engines/providers/provider'
import { type RunDeps, runStart } from '@/lib/engines/runtime/deps'
import { memoryJournal } from '@/lib/engines/runtime/memory-journal'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { nothingRevoked, type Subject } from '@/lib/engines/runtime/policy/subject'
import { advance } from '@/lib/engines/runtime/run-agent'
import { endRun, openRunStep } from '@/lib/engines/runtime/run-step'
import { after } from '@/lib/engines/runtime/sleep'
import type { Ctx } from '@/lib/kernel/context'
import { pool, withTransaction } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { applyRunEvent, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { toolTestPrompt } from '@/lib/protocol/sample-prompts'
import { everything } from '@/lib/protocol/tool-access'
import { runningEngine } from '@/lib/runs/engine/engine'
import { queryIn, writeEntries } from '@/lib/runs/journal/write-entries'
import type { RunRequest } from '@/lib/runs/schemas'
import { reserveForRun, reserveResend } from '@/lib/runs/start/reserve-for-run'
import { probeOutputTokens, probeTool } from './tool-calling-probe'

const longestMs = 90_000

type Probe = { ctx: Ctx; target: ModelTarget; provider: Provider }

/**
 * Asks a model once, with one tool, and stores that as an ended run: reserved in budgets before, settled with its usage
 * record after (SPEC M2, M5). The run is stored only when it is over, so no process claims it; when this process dies,
 * its reservation is released with the others.
 */
export async function toolTestRun(probe: Probe): Promise<{ runId: string; state: RunState }> {
  const runId = newId()
  const instanceId = runningEngine()?.instanceId ?? newId()
  const { deps, events } = depsOf(probe, runId, instanceId)
  const snapshot = snapshotOf(probe.target)
  const input = { prompt: toolTestPrompt, actor: probe.ctx.actor, snapshot }
  const first = deps.journal.append(runStart(input, { accepted: [probeTool], rejected: [] }, newId))
  const answered = await advance(applyRunEvent(initialRunState, first), deps)
  const state = await endAfterAnswer(answered, deps)
  await keep(probe.ctx, { runId, instanceId, snapshot, events })
  return { runId, state }
}

/** Ends the run after one request. Calls are not executed, and nothing is retried. */
async function endAfterAnswer(state: RunState, deps: RunDeps): Promise<RunState> {
  if (state.end) return state
  if (nextStep(state).type === 'end') return advance(state, deps)
  const step = openRunStep(state, deps)
  endRun(step, { reason: 'completed', message: 'The test ends after the tool call.' })
  step.release()
  return step.state()
}

function depsOf({ ctx, provider }: Probe, runId: string, instanceId: string) {
  const { userId } = ctx.actor
  const loadSubject = async () => openTo(ctx)
  const journal = memoryJournal({ runId, loadSubject, now: Date.now })
  const signal = new AbortController().signal
  const deps: RunDeps = {
    runId,
    journal,
    loadSubject,
    signal,
    tools: new Map([[probeTool.name, probeTool]]),
    streamModel: (_target, ...args) => provider.stream(...args),
    // It is one request, so "there is no budget" need not be cached.
    reserve: reserveForRun(
      pool(),
      { runId, userId, configurationId: null, apiKeyId: ctx.apiKeyId ?? null, instanceId },
      async () => true,
    ),
    reserveResend: reserveResend(pool()),
    release: (reservationId) => releaseReservation(pool(), reservationId),
    readCostCapChoice: async () => null,
    readDecisions: async () => [],
    watchTool: () => ({ signal, release: () => undefined }),
    reportIncident: (incidentId, detail) =>
      log.error(
        { source: 'run', incidentId, runId, userId, detail },
        'An unexpected error happened in a test',
      ),
    now: Date.now,
    after,
    random: Math.random,
    newId,
  }
  return { deps, events: journal.events }
}

/** Returns a subject that allows the test's only tool, which does nothing, so no switch applies to it. */
function openTo({ actor }: Ctx): Subject {
  return {
    actor: { ...actor, groups: [], limitedBy: [] },
    apiKeyId: null,
    frozen: null,
    present: new Set(),
    groupsOff: new Map(),
    overrides: new Map(),
    configuration: null,
    selected: null,
    apiKey: null,
    remote: new Map(),
    accounts: new Map(),
    approvalRules: [],
    toolApprovals: new Map(),
    untrustedReads: [],
    rates: new Map(),
    approvalLifetimeMs: 0,
    fourEyes: false,
    starters: [],
    approvers: new Map(),
    revoked: nothingRevoked,
  }
}

function snapshotOf(target: ModelTarget): RunSnapshot {
  return {
    configurationId: null,
    configurationName: 'Test of a model',
    configurationIdentifier: 'test-of-a-model',
    systemPrompt: '',
    parameters: {
      ...defaultModelParameters,
      maxOutputTokens: probeOutputTokens(target.maxOutputTokens),
    },
    // The tool is sent even if the model is known to have no tool calling.
    targets: [{ ...target, toolCalling: 'unconfirmed', maxTries: 1 }],
    maxRounds: 1,
    timeLimitMs: longestMs,
    ...everything,
    raisedDataClass: null,
    fourEyes: false,
    skills: [],
    task: null,
    toolMode: 'native',
    costCaps: [],
  }
}

type Ended = { runId: string; instanceId: string; snapshot: RunSnapshot; events: RunEvent[] }

async function keep(ctx: Ctx, { runId, instanceId, snapshot, events }: Ended): Promise<void> {
  const [first, ...rest] = events
  if (first?.type !== 'run-start') throw new Error('A test began without its first event.')
  const { userId } = ctx.actor
  const at = new Date(first.at)
  const request: RunRequest = {
    kind: 'model-test',
    tools: [probeTool.name],
    maxRounds: 1,
    variables: {},
  }
  await withTransaction(async (tx) => {
    await tx.run.create({
      data: {
        id: runId,
        userId,
        instanceId,
        request,
        createdAt: at,
        prompt: first.data.prompt,
        source: ctx.via,
        lastSeq: 1,
        events: { create: { seq: 1, type: first.type, data: first.data, at } },
      },
    })
    const facts = { runId, userId, snapshot, createdAt: first.at }
    await writeEntries(queryIn(tx), instanceId, [{ facts, events: rest, rowSeq: 1 }])
    // The tool is not installed and has no health.
    await tx.callRecord.deleteMany({ where: { runId } })
  })
}
