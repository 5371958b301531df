import { type EarlierTurn, planOffer, type RunDeps } from '@/lib/engines/runtime/deps'
import { type Person, type Subject, withoutTemporary } from '@/lib/engines/runtime/policy/subject'
import { advance } from '@/lib/engines/runtime/run-agent'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { ExecutableTool } from '@/lib/protocol/tool'
import {
  type Decided,
  decidedNow,
  decidedThen,
  type OfferDifference,
  offerDifferences,
} from './differences'
import { BeyondRecordingError, DiedThenError, recordedDeps } from './recorded-deps'
import { openRecordedJournal, type RecordedJournal } from './recorded-journal'
import { openStop } from './recorded-stop'
import {
  openReplies,
  type RecordedRun,
  type Recording,
  readRecording,
  unknownApprover,
} from './recording'
import { openVirtualClock, type VirtualClock } from './virtual-clock'

/**
 * Policy that a run is replayed with. `snapshot`: the configuration as the run would have it. `startsOf` returns when calls of
 * a limited tool started in other runs, ms since 1970, in order.
 */
export type ReplayPolicy = {
  subject: Subject
  tools: ReadonlyMap<string, ExecutableTool>
  snapshot: RunSnapshot
  startsOf: (toolName: string) => readonly number[]
}

/**
 * Outcome of a replay: what was decided in the run, and what this policy decides in the same places. `frozen`: the freeze that
 * would stop every run now, which is left out; null: none. `offers`: the tools that the run would begin with otherwise, which
 * alone changes no call.
 */
export type Replay = {
  frozen: Subject['frozen']
  offers: OfferDifference[]
  before: Decided[]
  after: Decided[]
}

/**
 * Runs the loop again with the answers and results of a journal and another policy, and returns what it decides. Calls
 * no model and no tool, and writes nothing. Throws for a run that has not ended, and where the policy cannot be asked.
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
      before: decidedThen(recording),
      after: decidedNow(recording, replayed),
    }
  } finally {
    clock.close()
  }
}

/** A replay that goes on where the run ended then. */
type Replayed = { state: RunState; isBeyond: boolean }

async function replayLoop(
  recording: Recording,
  { subject, tools, snapshot, startsOf }: ReplayPolicy,
  clock: VirtualClock,
  earlier: readonly EarlierTurn[] = [],
): Promise<Replayed> {
  const stop = openStop(recording, subject, clock)
  const replies = openReplies(recording)
  const journal = openRecordedJournal(recording, { subject, startsOf, clock, stop, replies })
  const faults: unknown[] = []
  const deps = {
    ...recordedDeps(recording, { subject, tools, clock, earlier, journal, stop, replies }),
    reportIncident: (_id: string, fault: unknown) => void faults.push(fault),
  }
  journal.append({ type: 'run-start', data: { ...recording.start, snapshot } })
  if (recording.copied) journal.append(recording.copied)
  try {
    const replayed = await advanceToEnd(journal, deps)
    if (!replayed.isBeyond && isFault(replayed.state, recording))
      throw new Error('A gate failed in a replay.', { cause: faults[0] })
    return replayed
  } finally {
    deps.close()
  }
}

async function advanceToEnd(journal: RecordedJournal, deps: RunDeps): Promise<Replayed> {
  for (;;) {
    const before = journal.stateNow()
    if (before.end) return { state: before, isBeyond: false }
    try {
      // It waits for people who never decided.
      if ((await advance(before, deps, () => true)) === before)
        return { state: before, isBeyond: true }
    } catch (error) {
      if (error instanceof DiedThenError) journal.append(error.lost)
      else if (error instanceof BeyondRecordingError)
        return { state: journal.stateNow(), isBeyond: true }
      else throw error
    }
  }
}

/** Returns whether something failed that is no answer of the policy: then nobody knows what the run would do. */
function isFault({ rounds, end }: RunState, recording: Recording): boolean {
  if (end?.reason === 'internal-error' && recording.end.reason !== 'internal-error') return true
  return rounds.some(({ calls }) =>
    calls.some(
      ({ state }) =>
        state.type === 'ended' && state.outcome.type === 'denied' && state.outcome.gate === 'state',
    ),
  )
}

/** Lets every approval count as it was given then: each approver has the rights of an admin. */
function approversOf({ state }: Recording): Map<string, Person> {
  const approvers = new Map([[unknownApprover, adminCalled(unknownApprover, '')]])
  for (const { approval } of state.rounds.flatMap(({ calls }) => calls)) {
    const decision = approval?.decision
    if (decision?.type !== 'approved' && decision?.type !== 'edited') continue
    const { by, userId = '' } = decision
    approvers.set(userId, adminCalled(userId, by))
  }
  return approvers
}

function adminCalled(userId: string, email: string): Person {
  return { userId, email, role: 'admin', groups: [], limitedBy: [] }
}
