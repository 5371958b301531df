import { isCapped, reachedWords } from '@/lib/protocol/cost'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { Actor, Denial, ExecutableTool, Outcome, Verdict } from '@/lib/protocol/tool'
import {
  asApproved,
  hasApproval,
  noteObserved,
  type Ruling,
  refusal,
  refusedByRule,
  requestApproval,
  requestApprovals,
  rulingOn,
  type Wait,
} from './approvals'
import { JournalLostError, reportIncident } from './deps'
import { executeTool } from './execute-tool'
import { repeatedCalls } from './next-step'
import { decideTool, revocation, stillApproved } from './policy/decide-tool'
import { unknownTool } from './policy/gates'
import type { Subject } from './policy/subject'
import { refuseInText } from './prompted-mode'
import {
  type CallEnding,
  denied,
  type RunStep,
  recordCallEnd,
  stoppedBefore,
  warn,
} from './run-step'

const maxCalls = 16
const maxConcurrentReads = 4

/**
 * Runs the calls of a round that have not ended: reads in parallel, and all in order as soon as one of them writes
 * (SPEC R6). None starts after an enforced cost cap is reached, also by the answer that asks for them (SPEC M4). When
 * one of them needs approval, none starts before it is decided (SPEC G-A). Starts no call after the step was stopped.
 */
export async function callRound(step: RunStep, roundNumber: number): Promise<void> {
  const round = step.state().rounds.find((candidate) => candidate.round === roundNumber)
  if (!round) throw new Error(`There is no round ${roundNumber}.`)
  warnOfRepeats(step, round)
  refuseExcess(step, round)

  const open: CallView[] = []
  for (const call of round.calls.slice(0, maxCalls)) {
    if (call.state.type === 'ended') continue
    if (call.state.type === 'running' && call.state.effect === 'write') leaveUnknown(step, call)
    else open.push(call)
  }
  if (isCapped(step.state())) return refuseCapped(step, open)
  if (refuseInText(step, round)) return
  if (await requestApprovals(step, round, open)) return
  const writes = round.calls.some(
    (call) => (step.deps.tools.get(call.name)?.effect ?? 'read') !== 'read',
  )
  await inLanes(step, open, writes ? 1 : maxConcurrentReads, (call) => runCall(step, round, call))
}

/** Runs one call and records its outcome. Returns true when it waits for approval. */
async function runCall(step: RunStep, round: RoundView, call: CallView): Promise<boolean> {
  const startedAt = step.deps.now()
  const result = await callTool(step, round, call)
  switch (result.type) {
    case 'ended':
      recordCallEnd(step, call, result.ending, startedAt)
      return false
    case 'denied':
      recordCallEnd(step, call, denied(result.denial), startedAt)
      return false
    case 'waits':
      await requestApproval(step, call, result.wait)
      return true
    case 'left-open':
      return false
    default:
      return result satisfies never
  }
}

/**
 * Works through `calls` in order, up to `lanes` at once, until one of them must wait for approval. When the journal is
 * lost, records nothing more.
 */
async function inLanes(
  step: RunStep,
  calls: readonly CallView[],
  lanes: number,
  work: (call: CallView) => Promise<boolean>,
): Promise<void> {
  const queue = calls.values()
  let waits = false
  const lane = async () => {
    for (const call of queue) {
      if (step.signal.aborted || waits) return
      if (await work(call)) waits = true
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(lanes, calls.length) }, lane))
  } catch (error) {
    if (error instanceof JournalLostError) step.release()
    throw error
  }
}

/**
 * Ends calls as unknown. A write that was active when its process died may have happened, so it is not repeated (SPEC
 * J4).
 */
function leaveUnknown(step: RunStep, call: CallView): void {
  if (call.state.type !== 'running') return
  const reason =
    'The server stopped while this call ran. It may have taken effect and is not repeated.'
  const outcome: Outcome = { type: 'unknown', reason }
  recordCallEnd(step, call, { verdict: { allowed: true }, outcome }, call.state.startedAt)
}

function refuseCapped(step: RunStep, calls: readonly CallView[]): void {
  const reason = `Not run: ${reachedWords(step.state())}.`
  for (const call of calls) {
    recordCallEnd(step, call, denied({ gate: 'cost-cap', reason }), step.deps.now())
  }
}

function refuseExcess(step: RunStep, round: RoundView): void {
  const excess = round.calls.slice(maxCalls).filter((call) => call.state.type !== 'ended')
  if (excess.length === 0) return
  const reason = `At most ${maxCalls} calls can run in one round. This call was over the limit.`
  for (const call of excess) {
    recordCallEnd(step, call, denied({ gate: 'round-limit', reason }), step.deps.now())
  }
  warnOfRound(step, round, {
    code: 'too-many-calls',
    message: `The model asked for ${round.calls.length} calls at once. Only the first ${maxCalls} were run.`,
  })
}

function warnOfRepeats(step: RunStep, round: RoundView): void {
  const names = repeatedCalls(step.state().rounds)
  if (names.length === 0) return
  warnOfRound(step, round, {
    code: 'loop',
    message: `${names.join(', ')} was asked for three times with the same arguments. The answer will not change: use what is there, or ask for something else.`,
    tellModel: true,
  })
}

type Warning = { code: 'loop' | 'too-many-calls'; message: string; tellModel?: boolean }

/** Records a warning, unless a round that continues after a crash has recorded it already. */
function warnOfRound(step: RunStep, round: RoundView, warning: Warning): void {
  const { code } = warning
  if (round.notes.some((note) => note.type === 'warning' && note.data.code === code)) return
  warn(step, { round: round.round, ...warning })
}

/**
 * How a call ended in this process. `waits` = a rule requires approval. `left-open` = the step was stopped: the end of
 * the run closes the call, or another process continues.
 */
type CallResult = Unstarted | { type: 'ended'; ending: CallEnding }

type Unstarted =
  | { type: 'denied'; denial: Denial }
  | { type: 'waits'; wait: Wait }
  | { type: 'left-open' }

/**
 * A call whose start is durable, the only one that can be executed. `actor` is the person as the gates saw them,
 * `observed`: the rules that match and only observe.
 */
type Prepared = { type: 'prepared'; actor: Actor } & Pick<Ruling, 'observed'>

type Asked = { round: RoundView; call: CallView; tool: ExecutableTool }

/**
 * Takes one call from name to outcome: find the tool, decide again and journal the start in one transaction, parse,
 * execute. Throws nothing but `JournalLostError`.
 */
async function callTool(step: RunStep, round: RoundView, call: CallView): Promise<CallResult> {
  const tool = step.deps.tools.get(call.name)
  if (!tool) return { type: 'denied', denial: unknownTool(call.name, round.offered) }
  try {
    const denial = refusal(step, call)
    return denial ? { type: 'denied', denial } : await callWatched(step, { round, call, tool })
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    if (step.signal.aborted) return { type: 'left-open' }
    const incidentId = reportIncident(step.deps, error)
    const reason = `The switches could not be read, so the call is denied (incident ${incidentId}).`
    return { type: 'denied', denial: { allowed: false, gate: 'state', reason } }
  }
}

/** Prepares and executes a call. The tool is watched before that, so that it cannot be switched off unnoticed. */
async function callWatched(step: RunStep, asked: Asked): Promise<CallResult> {
  const { call, tool } = asked
  const watch = step.deps.watchTool(call.name, call.callId)
  try {
    const prepared = await prepare(step, asked)
    if (prepared.type !== 'prepared') return prepared
    noteObserved(step, call, prepared.observed)
    const execution = { tool, call: asApproved(call), actor: prepared.actor }
    const outcome = await executeTool(step, { ...execution, switchedOff: watch.signal })
    if (!outcome) return { type: 'left-open' }
    const observed = prepared.observed.map(({ id }) => id)
    const ending = { verdict: { allowed: true as const }, outcome }
    return { type: 'ended', ending: observed.length > 0 ? { ...ending, observed } : ending }
  } finally {
    watch.release()
  }
}

/** Evaluates the gates, then the rules, with fresh state, and makes the start of the call durable. */
async function prepare(step: RunStep, asked: Asked): Promise<Unstarted | Prepared> {
  const { round, call, tool } = asked
  const attempt = call.state.type === 'running' ? call.state.attempt + 1 : 1
  const { callId, name } = call
  const answers: (Unstarted | Prepared)[] = []
  const { verdict } = await step.begin(
    {
      type: 'call-start',
      data: { round: round.round, callId, name, effect: tool.effect, attempt },
    },
    (subject) => {
      const answer = judge(step, asked, subject)
      answers.push(answer)
      return verdictOf(answer)
    },
  )
  const answer = answers.at(-1)
  if (!verdict.allowed) {
    return answer && answer.type !== 'prepared' ? answer : { type: 'denied', denial: verdict }
  }
  if (answer?.type !== 'prepared') throw new Error('The journal said yes without asking the gates.')
  return answer
}

/**
 * Returns what the gates, the offer and the rules say about a call, and stops a step whose run was revoked.
 */
function judge(
  step: RunStep,
  { round, call, tool }: Asked,
  subject: Subject,
): Unstarted | Prepared {
  const revoked = revocation(subject, round.target)
  if (revoked !== null) step.stop({ type: 'revoked', reason: revoked })
  if (step.signal.aborted) return { type: 'left-open' }
  const denial = denialOf(subject, { round, call, tool })
  if (denial) return { type: 'denied', denial }
  const { rule, observed } = rulingOn(step, { tool, call, subject })
  if (rule?.action === 'deny') {
    return { type: 'denied', denial: refusedByRule(tool, call, rule) }
  }
  if (rule && !hasApproval(call))
    return { type: 'waits', wait: { rule, lifetimeMs: subject.approvalLifetimeMs } }
  if (!subject.actor) throw new Error('The gates allowed a call of an unknown account.')
  return { type: 'prepared', actor: subject.actor, observed }
}

function denialOf(subject: Subject, { round, call, tool }: Asked): Denial | null {
  const verdict = decideTool(tool, subject)
  if (!verdict.allowed) return verdict
  if (!round.offered.includes(call.name)) return notOffered
  const approval = hasApproval(call) ? stillApproved(tool, call, subject) : verdict
  return approval.allowed ? null : approval
}

const notOffered: Denial = {
  allowed: false,
  gate: 'offer',
  reason: 'The model asked for a tool that it was not offered in this round.',
}

const unapproved: Denial = {
  allowed: false,
  gate: 'approval',
  reason: 'This call needs approval first.',
}

function verdictOf(answer: Unstarted | Prepared): Verdict {
  switch (answer.type) {
    case 'prepared':
      return { allowed: true }
    case 'denied':
      return answer.denial
    case 'waits':
      return unapproved
    case 'left-open':
      return stoppedBefore
    default:
      return answer satisfies never
  }
}
