import { randomUUID } from 'node:crypto'
import { recordedError } from '@/lib/engines/runtime/call/recorded-tools'
import { type EarlierTurn, JournalLostError, type RunDeps } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import type { ModelEvent } from '@/lib/protocol/model/message'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { EndReason, RunEventOf } from '@/lib/protocol/run/run-event'
import { type ExecutableTool, type Outcome, ToolError, type ToolResult } from '@/lib/protocol/tool'
import type { RecordedJournal } from './recorded-journal'
import type { Stop } from './recorded-stop'
import {
  type OpenReplies,
  type RecordedReply,
  type Recording,
  type RequestPlace,
  unknownApprover,
} from './recording'
import type { VirtualClock } from './virtual-clock'

/** Ends a replay where the run would ask for what it never asked then: nobody knows the answer. */
export class BeyondRecordingError extends JournalLostError {}

/** Ends a step of the replay where the process of the run died. */
export class DiedThenError extends JournalLostError {
  readonly lost: RunEventOf<'request-lost'>
  constructor(lost: RunEventOf<'request-lost'>) {
    super('The process of the run died here.')
    this.lost = lost
  }
}

type Parts = {
  subject: Subject
  tools: ReadonlyMap<string, ExecutableTool>
  clock: VirtualClock
  earlier: readonly EarlierTurn[]
  journal: RecordedJournal
  stop: Stop
  replies: OpenReplies
}

/**
 * Returns what the loop needs: everything that came from outside comes from the recording. `close` forgets it when the replay is
 * over.
 */
export function recordedDeps(recording: Recording, parts: Parts): RunDeps & { close: () => void } {
  const { subject, tools, clock, earlier, journal, stop, replies } = parts
  const ids: string[] = []
  const replayId = randomUUID()
  replays.set(replayId, { recording, clock })
  return {
    close: () => void replays.delete(replayId),
    runId: replayId,
    tools: recordedTools(tools),
    journal,
    earlier,
    loadSubject: async () => subject,
    streamModel: (_target, _request, signal) =>
      streamRecorded(recording, { clock, stop, signal, ids, replies, reply: journal.takeReply() }),
    reserve: async () => reservation(recording, replies, journal.stateNow()),
    reserveResend: async () => held,
    release: async () => undefined,
    readCostCapChoice: async () => recording.capChoiceIn(journal.stateNow(), false),
    ...(recording.start.panelId && {
      readPanelCapChoice: async () => recording.capChoiceIn(journal.stateNow(), true),
      readPanelCost: async () => recording.panelCostIn(journal.stateNow()),
    }),
    readChildCost: async () => recording.childCostIn(journal.stateNow()),
    signal: stop.signal,
    watchTool: () => ({ signal: neverAborted, release: () => undefined }),
    readDecisions: async (waiting) =>
      waiting.flatMap((call) => decisionThen(recording, call, { clock, stop })),
    reportIncident: () => undefined,
    now: clock.now,
    after: clock.after,
    random: () => 0.5,
    newId: () => ids.shift() ?? randomUUID(),
  }
}

const held = { type: 'held', reservationId: null, warning: null } as const
const neverAborted = new AbortController().signal

/** Refuses the request that a budget refused then, which was the last one. */
function reservation({ end, state }: Recording, replies: OpenReplies, now: RunState) {
  const isRefused = end.reason === 'budget' || end.reason === 'no-price'
  const isLast = now.rounds.length >= state.rounds.length
  if (!isRefused || !isLast || replies.has(nextPlace(now))) return held
  const hasNoPrice = end.reason === 'no-price'
  return { type: 'refused', reason: end.message, hasNoPrice } as const
}

/** Returns the request that comes next: the open one of the last round, or the first of the next. */
function nextPlace({ rounds }: RunState): RequestPlace {
  const last = rounds.at(-1)
  if (!last) return { round: 1, target: 0 }
  const { round, target, response } = last
  return { round: response ? round + 1 : round, target }
}

type Waiting = Parameters<RunDeps['readDecisions']>[0][number]

/** Returns the decision on a call as it was given; an approval for one that nobody was asked about. */
function decisionThen(
  recording: Recording,
  { callId, approval }: Waiting,
  { clock, stop }: { clock: VirtualClock; stop: Stop },
) {
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
    stop.now()
    return []
  }
  const decision = { type: 'approved', by: '', userId: unknownApprover, message: '' } as const
  return [{ approvalId, decision }]
}

type StreamContext = {
  clock: VirtualClock
  stop: Stop
  /** Aborted when the step is stopped, also by the time limit. */
  signal: AbortSignal
  ids: string[]
  replies: OpenReplies
  reply: RecordedReply | undefined
}

/** Streams the reply that the provider gave to this request then. */
async function* streamRecorded(
  recording: Recording,
  { reply, ...context }: StreamContext,
): AsyncGenerator<ModelEvent> {
  const { clock, stop, signal, replies } = context
  switch (reply?.type) {
    case undefined:
      // The run was stopped before it made this request.
      if (!stop.exists || !replies.isUsedUp()) throw new BeyondRecordingError(noSuchAnswer)
      stop.now()
      yield { type: 'error', failure: { ...stoppedFailure } }
      return
    case 'lost':
      clock.advanceTo(reply.at)
      throw new DiedThenError(reply.lost)
    case 'failed':
      clock.advanceTo(reply.at)
      yield {
        type: 'error',
        failure: reply.failure,
        ...(reply.brokeOff && { usage: reply.failedCall?.used?.usage ?? emptyUsage }),
      }
      return
    case 'stopped':
      clock.advanceTo(reply.at)
      stop.now()
      if (!signal.aborted) throw new BeyondRecordingError(noSuchAnswer)
      yield { type: 'error', failure: { ...stoppedFailure } }
      return
    case 'answered':
      yield* answerThen(recording, reply, context)
      return
    default:
      reply satisfies never
  }
}

const noSuchAnswer = 'The run asked for no such answer.'

/** Streams an answer; the rest of one that the end of the run cut off is not known. */
async function* answerThen(
  recording: Recording,
  reply: Extract<RecordedReply, { type: 'answered' }>,
  { clock, stop, signal, ids, replies }: Omit<StreamContext, 'reply'>,
): AsyncGenerator<ModelEvent> {
  const { message, at } = reply
  const events = recording.streamOf(reply)
  yield* events.slice(0, -1)
  clock.advanceTo(at)
  const last = events.at(-1)
  const isCutOff = message.finishReason === 'cut' && !message.errorCategory && replies.isUsedUp()
  if (isCutOff) stop.now()
  if (signal.aborted || !last) return
  if (isCutOff && stopsRequests.has(recording.end.reason))
    throw new BeyondRecordingError(noSuchAnswer)
  // The calls of the answer keep their ids, by which their results are found.
  ids.splice(0, ids.length, ...message.toolCalls.map(({ callId }) => callId))
  yield last
}

/** Ends of a run after which an answer may be cut off by nobody but the run. */
const stopsRequests: ReadonlySet<EndReason> = new Set(['time-limit', 'revoked', 'frozen'])

const stoppedFailure = {
  category: 'cancelled',
  status: null,
  advice: 'The run was stopped.',
  incidentId: '',
  retryAfterMs: null,
} as const

type Replaying = { recording: Recording; clock: VirtualClock }

/** Replays under way, by the ids that their calls have in place of the id of the run. */
const replays = new Map<string, Replaying>()

function replayOf({ runId }: CallPlace): Replaying {
  const found = replays.get(runId)
  if (!found) throw new JournalLostError('The replay of this call is over.')
  return found
}

type Tools = ReadonlyMap<string, ExecutableTool>

/** Made once for all replays with these tools: the loop keeps what it counts of a tool by its object. */
const recorded = new WeakMap<Tools, Tools>()

/** Returns the tools of today with the results of then in place of what they do. */
function recordedTools(tools: Tools): Tools {
  const found = recorded.get(tools) ?? makeRecorded(tools)
  recorded.set(tools, found)
  return found
}

function makeRecorded(tools: Tools): Tools {
  return new Map(
    [...tools].map(([name, { look, ...tool }]) => [
      name,
      {
        ...tool,
        execute: (_args, context) => resultThen(context, replayOf(context)),
        ...(look?.isAct && { look: { isAct: true, read: actThen } }),
      } satisfies ExecutableTool,
    ]),
  )
}

type CallPlace = Parameters<ExecutableTool['execute']>[1]

async function resultThen(
  { callId, started }: CallPlace,
  { recording, clock }: Replaying,
): Promise<ToolResult> {
  const call = recording.callOf(callId)
  if (call?.childRunId) await started?.(call.childRunId)
  if (call?.state.type !== 'ended') return notKnown
  clock.advanceTo(call.state.endedAt)
  return resultOf(call.state.outcome)
}

/** Result of a call that did not run then: the answers after it are those to what it got then. */
const notKnown: ToolResult = { content: 'Not known: the call did not run then.' }

/** Returns a result in short: the journal puts the recorded one in its place. */
function resultOf(outcome: Outcome): ToolResult {
  switch (outcome.type) {
    case 'ok':
      return { content: '' }
    case 'failed':
    case 'timed-out':
    case 'cancelled':
    case 'unknown':
      throw recordedError(outcome)
    case 'denied':
    case 'invalid-arguments':
      return notKnown
    default:
      return outcome satisfies never
  }
}

/** Reads the act of a call as its tool did then: one that it refused was put before nobody. */
async function actThen(_args: unknown, context: CallPlace): Promise<string> {
  const { state, approval } = replayOf(context).recording.callOf(context.callId) ?? {}
  const outcome = state?.type === 'ended' ? state.outcome : null
  if (outcome?.type === 'failed' && outcome.code === 'refused' && !approval)
    throw new ToolError('refused', outcome.message)
  return ''
}
