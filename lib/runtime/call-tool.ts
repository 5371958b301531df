import type { CallView, RoundView } from '@/lib/protocol/fold-run'
import type { Denial, Verdict } from '@/lib/protocol/outcome'
import type { Actor, ExecutableTool } from '@/lib/protocol/tool'
import { type CallEnding, denied, recordCallEnd } from './call-end'
import { JournalLostError } from './deps'
import { executeTool } from './execute-tool'
import { decideTool } from './policy/decide-tool'
import { notRegistered } from './policy/registered'
import { reportIncident } from './report-incident'
import type { RunStep } from './run-step'

const allowed: Verdict = { allowed: true }

const notOffered: Denial = {
  allowed: false,
  gate: 'offer',
  reason: 'The model asked for a tool that it was not offered in this round.',
}

/**
 * One call from name to outcome: find, decide again and journal its start in one transaction, parse, execute.
 * Writes its `call-end`, except when the run was handed over with the call in flight. Throws nothing but
 * `JournalLostError`.
 */
export async function callTool(step: RunStep, round: RoundView, call: CallView): Promise<void> {
  const startedAt = step.deps.now()
  const ending = await decideAndExecute(step, round, call)
  if (ending) recordCallEnd(step, call, ending, startedAt)
}

async function decideAndExecute(
  step: RunStep,
  round: RoundView,
  call: CallView,
): Promise<CallEnding | null> {
  const tool = step.deps.tools.get(call.name)
  if (!tool) return denied(notRegistered)

  let watch: ReturnType<typeof step.deps.watchTool> | undefined
  try {
    watch = step.deps.watchTool(call.name, call.callId)
    const begun = await beginCall(step, round, call, tool)
    if (!begun.verdict.allowed) return denied(begun.verdict)
    if (!begun.actor) throw new Error('The journal said yes without asking the gates.')
    const execution = { tool, call, actor: begun.actor, switchedOff: watch.signal }
    const outcome = await executeTool(step, execution)
    return outcome && { verdict: allowed, outcome }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    const incidentId = reportIncident(step.deps, error)
    const reason = `The switches could not be read, so the answer is no (incident ${incidentId}).`
    return denied({ gate: 'state', reason })
  } finally {
    watch?.release()
  }
}

/** Asks the gates with fresh state; `actor` is the person as they saw them. */
async function beginCall(
  step: RunStep,
  round: RoundView,
  call: CallView,
  tool: ExecutableTool,
): Promise<{ verdict: Verdict; actor: Actor | null }> {
  const attempt = call.state.type === 'running' ? call.state.attempt + 1 : 1
  let actor: Actor | null = null
  const { verdict, event } = await step.deps.journal.beginCall(
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
      actor = subject.actor
      const fresh = decideTool(tool, subject)
      return fresh.allowed && !round.offered.includes(call.name) ? notOffered : fresh
    },
  )
  if (event) step.added.push(event)
  return { verdict, actor }
}
