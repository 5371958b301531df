import type { CallView } from '@/lib/protocol/run/round-view'
import type { ToolMeta, Verdict } from '@/lib/protocol/tool'
import {
  configuration,
  credentials,
  enabled,
  flow,
  frozen,
  group,
  notRegistered,
  pinned,
  registered,
  role,
  rule,
  selection,
  skills,
  zone,
} from './gates'
import { rate } from './rate'
import type { Gate, Person, Subject } from './subject'

const allowed: Verdict = { allowed: true }

/**
 * Returns whether this run may use this tool now. The first gate that denies gives the reason (SPEC G). Called
 * for the offer, again right before each call, and by the console to explain. `tool` is what the Map of tools has under
 * the requested name.
 */
export function decideTool(tool: ToolMeta | undefined, subject: Subject): Verdict {
  if (!tool) return notRegistered
  for (const gate of gates) {
    const reason = gate.denies(tool, subject)
    if (reason === null) continue
    const part = gate.part?.(tool, subject)
    return { allowed: false, gate: gate.name, reason, ...(part && { part }) }
  }
  return allowed
}

/** Returns why a run that is on this model of its chain may not go on, as a sentence; null = it may (SPEC G-R). */
export function revocation({ revoked }: Pick<Subject, 'revoked'>, target: number): string | null {
  return revoked.run ?? revoked.targets[target] ?? null
}

/** In the order of SPEC G. Each can only deny, so none can allow what another denied (SPEC G-X). */
export const gates: readonly Gate[] = [
  registered,
  frozen,
  group,
  enabled,
  role,
  configuration,
  zone,
  skills,
  selection,
  pinned,
  rule,
  rate,
  flow,
  credentials,
]

/**
 * Returns whether an approval is still valid. It depends on the rights of the approver now: if they were disabled,
 * demoted or excluded by four eyes since, nothing runs (SPEC G-A, G-X). `fourEyesRule`: the rule that requires a second
 * person for this call; null = none does.
 */
export function stillApproved(
  tool: ToolMeta,
  { approval }: Pick<CallView, 'approval'>,
  subject: Subject,
  fourEyesRule: string | null,
): Verdict {
  const decision = approval?.decision
  if (decision?.type !== 'approved' && decision?.type !== 'edited') return no('Nobody approved it.')
  const approver = subject.approvers.get(decision.userId ?? '')
  if (!approver)
    return no(`The account of ${decision.by}, who approved it, is disabled or unknown.`)
  const mayNot = reasonAgainst(tool, approver, subject, fourEyesRule)
  return mayNot === null
    ? { allowed: true }
    : no(`${decision.by} approved it, but may no longer do so: ${mayNot}`)
}

function reasonAgainst(
  tool: ToolMeta,
  approver: Person,
  subject: Subject,
  fourEyesRule: string | null,
): string | null {
  const isOwn = approver.userId === subject.actor?.userId
  const isStarter = isOwn || subject.starters.includes(approver.userId)
  if (isStarter && subject.fourEyes)
    return 'the person who starts a run may no longer approve its calls.'
  if (isStarter && fourEyesRule !== null)
    return `because of the rule "${fourEyesRule}", the person who starts a run may not approve this call.`
  if (!isOwn && approver.role !== 'admin')
    return 'only admins may approve calls in other people’s runs.'
  const verdict = decideTool(tool, { ...subject, actor: approver })
  return verdict.allowed ? null : verdict.reason
}

function no(reason: string): Verdict {
  return {
    allowed: false,
    gate: 'approval',
    reason: `${reason} Start the run again to ask somebody else.`,
  }
}
