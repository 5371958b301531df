import type { ApprovalRule } from '@/lib/protocol/approval-rule'
import type { ToolMeta } from '@/lib/protocol/tool'

/** Whether a rule is about this tool and configuration at all, whatever its conditions say of the arguments. */
export function ruleConcerns(
  rule: ApprovalRule,
  tool: Pick<ToolMeta, 'name' | 'group'>,
  configurationId: string | undefined,
): boolean {
  return (
    (rule.toolName === null || rule.toolName === tool.name) &&
    (rule.toolGroup === null || rule.toolGroup === tool.group) &&
    (rule.configurationId === null || rule.configurationId === configurationId)
  )
}
