import { JournalLostError, reportIncident } from '@/lib/engines/runtime/deps'
import { decideTool, revocation } from '@/lib/engines/runtime/policy/decide-tool'
import { unknownTool } from '@/lib/engines/runtime/policy/gates'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type CallEnding, type RunStep, stoppedBefore } from '@/lib/engines/runtime/run-step'
import type { Preview } from '@/lib/protocol/look'
import type { CallView, RoundView } from '@/lib/protocol/run/round-view'
import type { Actor, Denial, ExecutableTool, Verdict } from '@/lib/protocol/tool'
import { because } from '@/lib/words/format'
import {
  approvalHolds,
  asApproved,
  hasApproval,
  noteObserved,
  type Ruling,
  refusedByRule,
  rulingOn,
  type Wait,
} from './approvals'
import { callCarriesCanary, canaryDenial } from './canary'
import { executeTool } from './execute-tool'
import { changeSince, checkedOutcome, previewOf, readAfter, startedFrom } from './look'

/**
 * End of a call in this process. `waits`: a rule requires approval. `left-open`: the step was stopped; the end of the
 * run closes the call, or another process continues.
 */
type CallResult = NotStarted | ({ type: 'ended' } & Omit<CallEnding, 'verdict'>)

type NotStarted =
  | { type: 'denied'; denial: Denial }
  | { type: 'waits'; wait: Wait }
  | { type: 'left-open' }

/**
 * A call that gates and rules allow. After `prepare`, its start is durable, and only then it can be executed. `actor` is the
 * person as the gates saw them, `observed`: the rules that match and only observe.
 */
type Prepared = { type: 'prepared'; actor: Actor } & Pick<Ruling, 'observed'>

type Asked = { round: RoundView; call: CallView; tool: ExecutableTool }

/**
 * Takes one call from name to outcome: find the tool, decide again and journal the start in one transaction, parse,
 * execute. Throws nothing but `JournalLostError`.
 */
export async function callTool(
  step: RunStep,
  round: RoundView,
  call: CallView,
): Promise<CallResult> {
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

/**
 * Prepares and executes a call, and looks before and after it where its tool can (SPEC G-W). The tool is watched before that, so
 * that it cannot be switched off unnoticed.
 */
async function callWatched(step: RunStep, input: Asked): Promise<CallResult> {
  const { call, tool } = input
  const watch = step.deps.watchTool(call.name, call.callId)
  try {
    const looked = await lookFirst(step, input)
    if (looked.type !== 'looked') return looked
    const prepared = await prepare(step, input, looked.preview)
    if (prepared.type !== 'prepared') return prepared
    noteObserved(step, call, prepared.observed)
    const execution = { tool, call: asApproved(call), actor: prepared.actor }
    const outcome = await executeTool(step, { ...execution, switchedOff: watch.signal })
    if (!outcome) return { type: 'left-open' }
    const observed = prepared.observed.flatMap(({ id }) => id ?? [])
    const ended = { type: 'ended' as const, ...(observed.length > 0 && { observed }) }
    if (!looked.preview || looked.preview.isAct) return { ...ended, outcome }
    const stops = [watch.signal]
    const after = await readAfter(step, { ...execution, stops }, outcome)
    if (!after) return { ...ended, outcome }
    const { before, becomes: approved } = looked.preview
    const check = { before: startedFrom(call) ?? before, approved, after }
    return { ...ended, outcome: checkedOutcome(outcome, check), check }
  } finally {
    watch.release()
  }
}

/** The target before a call; `preview` null: its tool has no `look`, or refuses the arguments. */
type Looked = { type: 'looked'; preview: Preview | null }

/**
 * Looks at what a call is about to change, if it may start. An approved call must find what the approver saw: with arguments
 * that a person edited, where the arguments before the edit lead.
 */
async function lookFirst(step: RunStep, input: Asked): Promise<CallResult | Looked> {
  const { call, tool } = input
  if (!tool.look) return { type: 'looked', preview: null }
  const answer = judge(step, input, await step.deps.loadSubject())
  if (answer.type === 'waits') return (await impossibleAct(step, input, answer.wait)) ?? answer
  if (answer.type !== 'prepared') return answer
  const { actor } = answer
  const looking = { tool, actor, from: startedFrom(call) }
  const now = await previewOf(step, { ...looking, call })
  const running = asApproved(call)
  const preview = running === call ? now : await previewOf(step, { ...looking, call: running })
  if (step.signal.aborted) return { type: 'left-open' }
  const change = now && changeSince(call, { before: now.before, becomes: preview?.becomes ?? null })
  return change ? { type: 'ended', ...change } : { type: 'looked', preview }
}

/** Returns how a call ends that its tool would refuse: nobody is asked to approve what cannot be done. Null = it can be. */
async function impossibleAct(
  step: RunStep,
  { call, tool }: Asked,
  { actor }: Wait,
): Promise<CallResult | null> {
  if (!tool.look?.isAct) return null
  const act = await previewOf(step, { tool, call, actor })
  if (step.signal.aborted) return { type: 'left-open' }
  if (act?.before.type !== 'unread') return null
  const message = act.before.problem
  return { type: 'ended', outcome: { type: 'failed', code: 'refused', message, incidentId: null } }
}

/** Evaluates the gates, then the rules, with fresh state, and makes the start of the call durable. */
async function prepare(
  step: RunStep,
  input: Asked,
  preview: Preview | null,
): Promise<NotStarted | Prepared> {
  const { round, call, tool } = input
  const attempt = call.state.type === 'running' ? call.state.attempt + 1 : 1
  const { callId, name } = call
  const isKnown = call.approval?.preview !== undefined && asApproved(call) === call
  const before = isKnown ? undefined : (startedFrom(call) ?? preview?.before)
  const answers: (NotStarted | Prepared)[] = []
  const { verdict } = await step.begin(
    {
      type: 'call-start',
      data: {
        round: round.round,
        callId,
        name,
        effect: tool.effect,
        attempt,
        ...(before && { before }),
      },
    },
    (subject) => {
      const answer = judge(step, input, subject)
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
): NotStarted | Prepared {
  const revoked = revocation(subject, round.target)
  if (revoked !== null) step.stop({ type: 'revoked', reason: revoked })
  if (step.signal.aborted) return { type: 'left-open' }
  const denial = denialOf(subject, { round, call, tool })
  if (denial) return { type: 'denied', denial }
  const { rule, fourEyesRule, observed } = rulingOn(step, { tool, call, subject })
  if (rule?.action === 'deny') {
    return { type: 'denied', denial: refusedByRule(tool, asApproved(call), rule) }
  }
  const { actor, approvalLifetimeMs: lifetimeMs } = subject
  if (!actor) throw new Error('The gates allowed a call of an unknown account.')
  if (rule && !hasApproval(call)) {
    return { type: 'waits', wait: { rule, fourEyesRule, lifetimeMs, actor } }
  }
  return { type: 'prepared', actor, observed }
}

function denialOf(subject: Subject, { round, call, tool }: Asked): Denial | null {
  const verdict = decideTool(tool, subject)
  if (!verdict.allowed) return verdict
  if (!round.offered.includes(call.name)) return notOffered
  const approval = hasApproval(call) ? approvalHolds(tool, call, subject) : verdict
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

function verdictOf(answer: NotStarted | Prepared): Verdict {
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

/** Returns why a call must not run whatever the gates say: what it carries, or what a person decided. */
function refusal(step: RunStep, call: CallView): Denial | null {
  if (callCarriesCanary(step, asApproved(call))) return canaryDenial
  const decision = call.approval?.decision
  if (decision?.type === 'denied') {
    const reason = `Denied by ${decision.by}${because(decision.message)}`
    return { allowed: false, gate: 'approval', reason }
  }
  if (decision?.type !== 'expired') return null
  const reason = 'Nobody decided in time, so the call is denied.'
  return { allowed: false, gate: 'approval', reason }
}
