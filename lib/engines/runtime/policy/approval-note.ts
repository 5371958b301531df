import type { ToolMeta } from '@/lib/protocol/tool'
import type { ApprovalQuestion } from './needs-approval'
import { ruleConcerns } from './rule-concerns'

/** `always` = every call waits; otherwise it depends on the arguments. `words` is a sentence for people. */
export type ApprovalNote = { always: boolean; words: string }

/**
 * What is known before a call about whether it will wait for a person (SPEC G-A); null when no rule is about this
 * tool. A rule without conditions decides for all calls, so it is named before those that look at arguments.
 */
export function approvalNote(
  tool: Pick<ToolMeta, 'name' | 'group'>,
  { configuration, approvalRules }: ApprovalQuestion,
): ApprovalNote | null {
  const about = approvalRules.filter((rule) => ruleConcerns(rule, tool, configuration?.id))
  const always = about.find(({ conditions }) => conditions.length === 0)
  if (always) {
    return {
      always: true,
      words: `Each call waits for approval because of the rule "${always.name}".`,
    }
  }
  const [first, ...others] = about
  if (!first) return null
  const more = others.length > 0 ? `, or ${others.length} more` : ''
  const words = `A call waits for approval if its arguments match the rule "${first.name}"${more}.`
  return { always: false, words }
}
