import { randomUUID } from 'node:crypto'
import {
  type EarlierTurn,
  type Journal,
  JournalLostError,
  planOffer,
  type RunDeps,
} from '@/lib/engines/runtime/deps'
import { memoryJournal } from '@/lib/engines/runtime/memory-journal'
import type { Person, RateUse, Subject } from '@/lib/engines/runtime/policy/subject'
import { withoutTemporary } from '@/lib/engines/runtime/policy/subject'
import { advance } from '@/lib/engines/runtime/run-agent'
import type { ModelEvent } from '@/lib/protocol/model/message'
import { applyRunEvent, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { type ExecutableTool, type Outcome, ToolError, type ToolResult } from '@/lib/protocol/tool'
import {
  type Difference,
  differencesOf,
  type OfferDifference,
  offerDifferences,
} from './differences'
import { type RecordedRun, type Recording, readRecording } from './recording'
import { openVirtualClock, type VirtualClock } from './virtual-clock'

/** The part of a configuration that limits a run, as it is now. */
export type LimitsNow = Pick<RunSnapshot, 'maxRounds' | 'timeLimitMs' | 'costCaps'>

/**
 * Policy that a run is replayed with. `limits` null: the configuration is gone, and those of the run count. `startsOf` returns
 * when calls of a limited tool started in other runs, ms since 1970, in order.
 */
export type ReplayPolicy = {
  subject: Subject
  tools: ReadonlyMap<string, ExecutableTool>
  limits: LimitsNow | null
  startsOf: (toolName: string) => readonly number[]
}

/**
 * Outcome of a replay. `frozen`: the freeze that would stop every run now, which the differences leave out; null: none.
 * `offers`: the tools that the run would begin with otherwise, which alone changes no call.
 */
export type Replay = {
  frozen: Subject['frozen']
  offers: OfferDifference[]
  differences: Difference[]
}

/** Ends a replay where the run would ask for what it never asked then: nobody knows the answer. */
class BeyondRecordingError extends JournalLostError {}

/**
 * Runs the loop again with the answers and results of a journal and another policy, and returns what would differ. Calls
 * no model and no tool, and writes nothing. Throws for a run that has not ended.
 */
export async function replayRun(
  run: RecordedRun & { earlier?: readonly EarlierTurn[] },
  policy: ReplayPolicy,
): Promise<Replay> {
  const recording = readRecording(run)
  const { frozen } = policy.subject
  const subject = { ...withoutTemporary(policy.subject), approvers: approversOf(recording) }
  const offer = planOffer(policy.tools, subject)
  const clock = openVirtualClock(recording.startedAt)
  try {
    const replayed = await replayLoop(recording, { ...policy, subject }, clock, run.earlier)
    return {
      frozen,
      offers: offerDifferences(recording, offer),
      differences: differencesOf(recording, replayed),
    }
  } finally {
    clock.close()
  }
}

/** A replay that goes on where the run ended then. */
type Replayed = { state: RunState; isBeyond: boolean }

async function replayLoop(
  recording: Recording,
  policy: ReplayPolicy,
  clock: VirtualClock,
  earlier: readonly EarlierTurn[] = [],
): Promise<Replayed> {
  const journal = openJournal(recording, policy, clock)
  const deps = depsOf(recording, { policy, clock, earlier, journal })
  const first = journal.append({ type: 'run-start', data: startNow(recording, policy.limits) })
  let state = applyRunEvent(initialRunState, first)
  try {
    while (!state.end) {
      const next = await advance(state, deps, () => true)
      // It waits for people who never decided.
      if (next === state) return { state, isBeyond: true }
      state = next
    }
    return { state, isBeyond: false }
  } catch (error) {
    if (!(error instanceof BeyondRecordingError)) throw error
    return { state: journal.stateNow(), isBeyond: true }
  }
}

/** Returns the first event with the limits of the configuration as it is now, where the run did not set its own. */
function startNow({ start }: Recording, limits: LimitsNow | null): RunEventOf<'run-start'>['data'] {
  if (limits === null) return start
  const own = new Set<string>(start.overridden)
  const { snapshot } = start
  return {
    ...start,
    snapshot: {
      ...snapshot,
      ...(!own.has('maxRounds') && { maxRounds: limits.maxRounds }),
      ...(!own.has('timeLimitMs') && { timeLimitMs: limits.timeLimitMs }),
      ...(!own.has('costCaps') && { costCaps: limits.costCaps }),
    },
  }
}

/** Lets every approval count as it was given then: each approver has the rights of an admin. */
function approversOf({ state }: Recording): Map<string, Person> {
  const approvers = new Map<string, Person>()
  for (const { approval } of state.rounds.flatMap(({ calls }) => calls)) {
    const decision = approval?.decision
    if (decision?.type !== 'approved' && decision?.type !== 'edited') continue
    const { by, userId = '' } = decision
    approvers.set(userId, { userId, email: by, role: 'admin', groups: [], limitedBy: [] })
  }
  approvers.set(unknownApprover, {
    userId: unknownApprover,
    email: '',
    role: 'admin',
    groups: [],
    limitedBy: [],
  })
  return approvers
}

/** Approves what nobody was asked then, so that the calls after it can be looked at, too. */
const unknownApprover = 'replay'

type ReplayJournal = Journal & { stateNow: () => RunState; current: () => RequestPlace }
type RequestPlace = { round: number; target: number }

/** Opens a journal in memory whose starts happen when they did then, and which counts rates at those times. */
function openJournal(
  recording: Recording,
  { subject, startsOf }: ReplayPolicy,
  clock: VirtualClock,
): ReplayJournal {
  const starts = new Map<string, number[]>()
  let asked: RequestPlace = { round: 1, target: 0 }
  let state = initialRunState
  const memory = memoryJournal({
    runId: recording.runId,
    loadSubject: async () => subject,
    now: clock.now,
    onUpdate: (update) => {
      state = applyRunEvent(state, update)
    },
  })
  const subjectFor = (tool: string): Subject => {
    const rate = subject.rates.get(tool)
    if (!rate) return subject
    const use = rateUseAt(clock.now(), { own: starts.get(tool) ?? [], others: startsOf(tool) })
    return { ...subject, rates: new Map(subject.rates).set(tool, { ...rate, use }) }
  }
  return {
    ...memory,
    stateNow: () => state,
    current: () => asked,
    begin: async (start, decide) => {
      clock.advanceTo(recording.timeOf(start) ?? 0)
      if (start.type !== 'call-start') {
        asked = start.data
        return memory.begin(start, decide)
      }
      const { name } = start.data
      const verdict = decide(subjectFor(name))
      if (!verdict.allowed) return { verdict, event: null }
      starts.set(name, [...(starts.get(name) ?? []), clock.now()])
      return { verdict, event: memory.append(start) }
    },
  }
}

/** Counts the starts of a tool in the run and in the minute before a moment. */
function rateUseAt(
  now: number,
  { own, others }: { own: readonly number[]; others: readonly number[] },
): RateUse {
  const since = now - 60_000
  const recent = [...own, ...others.filter((at) => at <= now)].filter((at) => at > since)
  const oldest = Math.min(...recent)
  return { inMinute: recent.length, inRun: own.length, waitMs: oldest + 60_000 - now }
}

type Around = {
  policy: ReplayPolicy
  clock: VirtualClock
  earlier: readonly EarlierTurn[]
  journal: ReplayJournal
}

/** Returns what the loop needs: everything that came from outside comes from the recording. */
function depsOf(recording: Recording, { policy, clock, earlier, journal }: Around): RunDeps {
  const controller = new AbortController()
  const ids: string[] = []
  stopAsThen(recording, clock, controller)
  return {
    runId: recording.runId,
    tools: recordedTools(recording, policy.tools, clock),
    journal,
    earlier,
    loadSubject: async () => policy.subject,
    streamModel: (_target, _request, signal) =>
      streamRecorded(recording, { clock, signal, ids, place: journal.current() }),
    reserve: async () => {
      const { end, state } = recording
      const isRefused = end.reason === 'budget' || end.reason === 'no-price'
      const isLast = journal.stateNow().rounds.length >= state.rounds.length
      if (!isRefused || !isLast || recording.hasReply(nextPlace(journal.stateNow()))) return held
      return { type: 'refused', reason: end.message, hasNoPrice: end.reason === 'no-price' }
    },
    reserveResend: async () => held,
    release: async () => undefined,
    readCostCapChoice: async () => recording.capChoiceAt(clock.now(), false),
    ...(recording.start.panelId && {
      readPanelCapChoice: async () => recording.capChoiceAt(clock.now(), true),
      readPanelCost: async () => recording.panelCostAt(clock.now()),
    }),
    readChildCost: async () => recording.childCostAt(clock.now()),
    signal: controller.signal,
    watchTool: () => ({ signal: neverAborted, release: () => undefined }),
    readDecisions: async (waiting) =>
      waiting.flatMap(({ callId, approval }) => {
        if (!approval) return []
        const { approvalId } = approval
        const given = recording.decisionOn(callId)
        if (given) {
          const { at, ...decision } = given
          clock.advanceTo(at)
          return [{ approvalId, decision }]
        }
        if (recording.callOf(callId)?.approval) {
          // It was undecided when the run ended.
          clock.advanceTo(recording.end.at)
          return []
        }
        const decision = { type: 'approved', by: '', userId: unknownApprover, message: '' } as const
        return [{ approvalId, decision }]
      }),
    reportIncident: () => undefined,
    now: clock.now,
    after: clock.after,
    random: () => 0.5,
    newId: () => ids.shift() ?? randomUUID(),
  }
}

const held = { type: 'held', reservationId: null, warning: null } as const
const neverAborted = new AbortController().signal

/** Returns the request that comes next: the open one of the last round, or the first of the next. */
function nextPlace({ rounds }: RunState): RequestPlace {
  const last = rounds.at(-1)
  if (!last) return { round: 1, target: 0 }
  const { round, target, response } = last
  return { round: response ? round + 1 : round, target }
}

/** Stops the run when it was stopped then by a person, a freeze, a right that was taken or a fault of the server. */
function stopAsThen(
  { end, startedAt }: Recording,
  clock: VirtualClock,
  controller: AbortController,
) {
  const reason = stopOf(end)
  if (reason) clock.after(Math.max(0, end.at - startedAt), () => controller.abort(reason))
}

function stopOf({ reason, message }: Recording['end']) {
  switch (reason) {
    case 'cancelled':
      return { type: 'cancelled', by: message, reason: '' } as const
    case 'frozen':
      return { type: 'frozen', by: message, reason: '' } as const
    case 'revoked':
      return { type: 'revoked', reason: message } as const
    case 'internal-error':
      return { type: 'went-back', reason: message } as const
    default:
      return null
  }
}

type Asking = { clock: VirtualClock; signal: AbortSignal; ids: string[]; place: RequestPlace }

/** Streams the reply that the provider gave to this request then. */
async function* streamRecorded(
  recording: Recording,
  { clock, signal, ids, place }: Asking,
): AsyncGenerator<ModelEvent> {
  const reply = recording.takeReply(place)
  if (!reply) throw new BeyondRecordingError('The run asked for no such answer.')
  if (reply.type !== 'answered') {
    clock.advanceTo(reply.at)
    if (reply.type === 'failed') yield { type: 'error', failure: reply.failure }
    else yield { type: 'error', failure: { ...stoppedFailure } }
    return
  }
  const events = recording.streamOf(reply)
  yield* events.slice(0, -1)
  clock.advanceTo(reply.at)
  const last = events.at(-1)
  if (signal.aborted || !last) return
  // The calls of the answer keep their ids, by which their results are found.
  ids.splice(0, ids.length, ...reply.message.toolCalls.map(({ callId }) => callId))
  yield last
}

const stoppedFailure = {
  category: 'cancelled',
  status: null,
  advice: 'The run was stopped.',
  incidentId: '',
  retryAfterMs: null,
} as const

/** Returns the tools of today with the results of then in place of what they do. */
function recordedTools(
  recording: Recording,
  tools: ReadonlyMap<string, ExecutableTool>,
  clock: VirtualClock,
): Map<string, ExecutableTool> {
  return new Map(
    [...tools].map(([name, { look, ...tool }]) => [
      name,
      {
        ...tool,
        execute: (_args, context) => resultThen(recording, context, clock),
        ...(look?.isAct && { look: { isAct: true, read: actThen(recording) } }),
      } satisfies ExecutableTool,
    ]),
  )
}

type CallPlace = Parameters<ExecutableTool['execute']>[1]

async function resultThen(
  recording: Recording,
  { callId, started }: CallPlace,
  clock: VirtualClock,
): Promise<ToolResult> {
  const call = recording.callOf(callId)
  if (call?.childRunId) await started?.(call.childRunId)
  if (call?.state.type !== 'ended') return notKnown
  clock.advanceTo(call.state.endedAt)
  return resultOf(call.state.outcome)
}

/** Result of a call that did not run then: the answers after it are those to what it got then. */
const notKnown: ToolResult = { content: 'Not known: the call did not run then.' }

function resultOf(outcome: Outcome): ToolResult {
  switch (outcome.type) {
    case 'ok': {
      const { content, leftOut, dataClass } = outcome
      return { content, ...(leftOut && { leftOut }), ...(dataClass && { dataClass }) }
    }
    case 'failed':
      throw new ToolError(outcome.code, outcome.message, outcome.flags !== undefined)
    case 'timed-out':
    case 'cancelled':
    case 'unknown':
      throw new ToolError(outcome.type, 'It had no result.')
    case 'denied':
    case 'invalid-arguments':
      return notKnown
    default:
      return outcome satisfies never
  }
}

/** Reads the act of a call as its tool did then: one that it refused was put before nobody. */
function actThen(recording: Recording): NonNullable<ExecutableTool['look']>['read'] {
  return async (_args, { callId }) => {
    const { state, approval } = recording.callOf(callId) ?? {}
    const outcome = state?.type === 'ended' ? state.outcome : null
    if (outcome?.type === 'failed' && outcome.code === 'refused' && !approval)
      throw new ToolError('refused', outcome.message)
    return ''
  }
}
