import { refuseInText } from '@/lib/engines/runtime/ask/prompted-mode'
import { JournalLostError } from '@/lib/engines/runtime/deps'
import { refuseBeyondHops } from '@/lib/engines/runtime/hop-budget'
import { repeatedCalls } from '@/lib/engines/runtime/next-step'
import { denied, type RunStep, recordCallEnd, warn } from '@/lib/engines/runtime/run-step'
import { isCapped, reachedWords } from '@/lib/protocol/cost/cost-caps'
import { childLimits } from '@/lib/protocol/run/child-runs'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { Outcome } from '@/lib/protocol/tool'
import { asApproved, requestApproval, requestApprovals } from './approvals'
import { callTool } from './call-tool'
import { checkAfterCrash, crashWords } from './look'

const maxCalls = 16
const maxConcurrentReads = 4

/**
 * Runs the calls of a round that have not ended: as many at once as `lanesOf` says (SPEC R6). None starts after an enforced
 * cost cap is reached, also by the answer that asks for them (SPEC M4). When one of them needs approval, none starts before it
 * is decided (SPEC G-A). Starts no call after the step was stopped.
 */
export async function callRound(step: RunStep, roundNumber: number): Promise<void> {
  const round = step.state().rounds.find((candidate) => candidate.round === roundNumber)
  if (!round) throw new Error(`There is no round ${roundNumber}.`)
  warnOfRepeats(step, round)
  refuseExcess(step, round)

  const open: CallView[] = []
  for (const call of round.calls.slice(0, maxCalls)) {
    if (call.state.type === 'ended') continue
    if (call.state.type === 'running' && call.state.effect === 'write')
      await leaveUnknown(step, call)
    else open.push(call)
  }
  if (isCapped(step.state())) return refuseCapped(step, open)
  if (refuseBeyondHops(step, round, open) || refuseInText(step, round)) return
  if (await requestApprovals(step, round, open)) return
  await inLanes(step, open, lanesOf(step, round), (call) => runCall(step, round, call))
}

/**
 * Returns how many calls of a round may run at once: several when all of them read, or all start runs, each of which keeps its own
 * order. In any other round all run in order (SPEC R6).
 */
function lanesOf({ deps }: RunStep, { calls }: RoundView): number {
  const tools = calls.map(({ name }) => deps.tools.get(name))
  if (tools.every((tool) => tool?.startsRuns)) return childLimits.atOnce
  return tools.every((tool) => (tool?.effect ?? 'read') === 'read') ? maxConcurrentReads : 1
}

/** Runs one call and records its outcome. Returns true when it waits for approval. */
async function runCall(step: RunStep, round: RoundView, call: CallView): Promise<boolean> {
  const startedAt = step.deps.now()
  const result = await callTool(step, round, call)
  switch (result.type) {
    case 'ended': {
      const { type: _, ...ending } = result
      recordCallEnd(step, call, { verdict: { allowed: true }, ...ending }, startedAt)
      return false
    }
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
 * J4). Where its tool can look, what is there now is kept beside what was there before.
 */
async function leaveUnknown(step: RunStep, call: CallView): Promise<void> {
  if (call.state.type !== 'running') return
  const check = await checkAfterCrash(step, asApproved(call))
  if (check && step.signal.aborted) return
  const outcome: Outcome = { type: 'unknown', reason: crashWords(check) }
  const ending = { verdict: { allowed: true } as const, outcome, ...(check && { check }) }
  recordCallEnd(step, call, ending, call.state.startedAt)
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
