import type { ApprovalDecision } from '@/lib/protocol/approval-decision'
import { cleanText } from '@/lib/protocol/clean-text'
import { isUndecided } from '@/lib/protocol/fold-run'
import type { CallView } from '@/lib/protocol/round-view'
import { type GivenDecision, JournalLostError, reportIncident } from './deps'
import type { RunStep } from './run-step'

/** Records new decisions on calls that wait for approval (SPEC G-A). */
export async function collectDecisions(step: RunStep, round: number): Promise<void> {
  const calls = step.state().rounds.find((candidate) => candidate.round === round)?.calls ?? []
  const waiting = calls.filter(isUndecided)
  const given = new Map(
    (await readDecisions(step, waiting)).map(({ approvalId, decision }) => [approvalId, decision]),
  )
  for (const { approval, callId } of waiting) {
    const decision = approval && given.get(approval.approvalId)
    if (!decision) continue
    step.record({
      type: 'approval-decision',
      data: { round, callId, decision: cleaned(decision) },
    })
  }
}

/** When decisions cannot be read, the run keeps waiting. */
async function readDecisions(
  step: RunStep,
  waiting: CallView[],
): Promise<readonly GivenDecision[]> {
  try {
    return await step.deps.readDecisions(waiting, step.signal)
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    reportIncident(step.deps, error)
    return []
  }
}

function cleaned(decision: ApprovalDecision): ApprovalDecision {
  if (decision.type === 'expired') return decision
  return { ...decision, message: cleanText(decision.message) }
}
