import type { Denial, Verdict } from '@/lib/protocol/outcome'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { Actor, ExecutableTool } from '@/lib/protocol/tool'
import { stoppedBefore } from './begin-request'
import { callCarriesCanary, canaryDenial } from './canary-redaction'
import { JournalLostError, reportIncident } from './deps'
import { executeTool } from './execute-tool'
import { because } from './policy/because'
import { decideTool } from './policy/decide-tool'
import { notRegistered } from './policy/registered'
import { stillApproved } from './policy/still-approved'
import { revocation } from './policy/subject'
import { requestApproval, type Wait } from './request-approvals'
import { hasApproval, ruleForCall } from './rule-for-call'
import { type CallEnding, denied, type RunStep, recordCallEnd } from './run-step'

const allowed: Verdict = { allowed: true }

/**
 * The result of a call in this process; `left-open` = the step was stopped: the end of the run closes it, or another
 * process continues.
 */
export type Called = 'ended' | 'waits' | 'left-open'

const unapproved: Denial = {
  allowed: false,
  gate: 'approval',
  reason: 'This call needs approval first.',
}

const notOffered: Denial = {
  allowed: false,
  gate: 'offer',
  reason: 'The model asked for a tool that it was not offered in this round.',
}

/**
 * Takes one call from name to outcome: find the tool, decide again and journal the start in one transaction, parse,
 * execute. Records its `call-end`, except when the step was stopped before the call started, the run was handed over
 * during the call, or the call needs approval: then it records the request. Throws nothing but `JournalLostError`.
 */
export async function callTool(step: RunStep, round: RoundView, call: CallView): Promise<Called> {
  const startedAt = step.deps.now()
  const ending = await decideAndExecute(step, round, call)
  if (ending === null) return 'left-open'
  if ('rule' in ending) {
    requestApproval(step, call, ending)
    return 'waits'
  }
  recordCallEnd(step, call, ending, startedAt)
  return 'ended'
}

async function decideAndExecute(
  step: RunStep,
  round: RoundView,
  call: CallView,
): Promise<CallEnding | Wait | null> {
  const tool = step.deps.tools.get(call.name)
  if (!tool) return denied(notRegistered)
  const refusal = refusedByPerson(call)

  let watch: ReturnType<typeof step.deps.watchTool> | undefined
  try {
    if (callCarriesCanary(step, asApproved(call))) return denied(canaryDenial)
    if (refusal) return denied(refusal)
    watch = step.deps.watchTool(call.name, call.callId)
    const begun = await beginCall(step, round, call, tool)
    if (begun.wait) return begun.wait
    if (begun.verdict === stoppedBefore) return null
    if (!begun.verdict.allowed) return denied(begun.verdict)
    if (!begun.actor) throw new Error('The journal said yes without asking the gates.')
    const execution = {
      tool,
      call: asApproved(call),
      actor: begun.actor,
      switchedOff: watch.signal,
    }
    const outcome = await executeTool(step, execution)
    return outcome && { verdict: allowed, outcome }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    const incidentId = reportIncident(step.deps, error)
    const reason = `The switches could not be read, so the call is denied (incident ${incidentId}).`
    return denied({ gate: 'state', reason })
  } finally {
    watch?.release()
  }
}

type Begun = { verdict: Verdict; actor: Actor | null; wait: Wait | null }

/**
 * Evaluates the gates, then the approval rules, with fresh state. `actor` is the person as they saw them; `wait` is the
 * rule whose approval is missing for these arguments.
 */
async function beginCall(
  step: RunStep,
  round: RoundView,
  call: CallView,
  tool: ExecutableTool,
): Promise<Begun> {
  const attempt = call.state.type === 'running' ? call.state.attempt + 1 : 1
  const isApproved = hasApproval(call)
  const asked: Pick<Begun, 'actor' | 'wait'> = { actor: null, wait: null }
  const { verdict } = await step.begin(
    {
      type: 'call-start',
      data: {
        round: round.round,
        callId: call.callId,
        name: call.name,
        effect: tool.effect,
        attempt,
      },
    },
    (subject) => {
      asked.actor = subject.actor
      const revoked = revocation(subject, round.target)
      if (revoked !== null) step.stop({ type: 'revoked', reason: revoked })
      if (step.signal.aborted) return stoppedBefore
      const fresh = decideTool(tool, subject)
      if (!fresh.allowed) return fresh
      if (!round.offered.includes(call.name)) return notOffered
      if (isApproved) return stillApproved(tool, call, subject)
      const rule = ruleForCall(tool, call, subject)
      if (!rule) return fresh
      asked.wait = { rule, lifetimeMs: subject.approvalLifetimeMs }
      return unapproved
    },
  )
  return { verdict, ...asked }
}

/** Returns the end of a call whose approval was not granted. */
function refusedByPerson({ approval }: CallView): Omit<Denial, 'allowed'> | null {
  const decision = approval?.decision
  if (decision?.type === 'denied') {
    return { gate: 'approval', reason: `Denied by ${decision.by}${because(decision.message)}` }
  }
  if (decision?.type !== 'expired') return null
  return { gate: 'approval', reason: 'Nobody decided in time, so the call is denied.' }
}

/** Returns the call with the arguments that a person edited. */
function asApproved(call: CallView): CallView {
  const decision = call.approval?.decision
  return decision?.type === 'edited' ? { ...call, argumentsText: decision.argumentsText } : call
}
