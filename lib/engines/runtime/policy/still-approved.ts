import type { Verdict } from '@/lib/protocol/outcome'
import type { CallView } from '@/lib/protocol/round-view'
import type { Actor, ToolMeta } from '@/lib/protocol/tool'
import { decideTool } from './decide-tool'
import type { Subject } from './subject'

/**
 * Whether the yes of a person still counts at this moment. It is worth what its giver may do now, not when it was
 * given: somebody disabled, demoted or shut out by four eyes since lets nothing run (SPEC G-A, G-X).
 */
export function stillApproved(
  tool: ToolMeta,
  { approval }: Pick<CallView, 'approval'>,
  subject: Subject,
): Verdict {
  const decision = approval?.decision
  if (decision?.type !== 'approved' && decision?.type !== 'edited') return no('Nobody approved it.')
  const approver = subject.approvers.get(decision.userId ?? '')
  if (!approver)
    return no(`The account of ${decision.by}, who approved it, is disabled or unknown.`)
  const mayNot = reasonAgainst(tool, approver, subject)
  return mayNot === null
    ? { allowed: true }
    : no(`${decision.by} approved it, but may no longer do so: ${mayNot}`)
}

function reasonAgainst(tool: ToolMeta, approver: Actor, subject: Subject): string | null {
  const isOwn = approver.userId === subject.actor?.userId
  if (isOwn && subject.fourEyes)
    return 'the person who starts a run may no longer approve its calls.'
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
