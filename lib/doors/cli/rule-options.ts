import type { ApprovalRuleInput, ApprovalRuleListing } from '@/lib/domains/approvals/schemas'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { ConditionOperator } from '@/lib/protocol/approval'

/** What of a rule a command says; false = it no longer says anything about that. */
export type RuleOptions = {
  name?: string
  tool?: string | false
  group?: string | false
  configuration?: string | false
  condition?: string[] | false
  /** The tool or group does not exist yet. */
  notYet?: boolean
}

/** Returns a rule with the values of the options. Fields without an option stay unchanged. */
export async function withRuleOptions(
  ctx: Ctx,
  rule: ApprovalRuleInput,
  options: RuleOptions,
): Promise<ApprovalRuleInput> {
  const { name, tool, group, configuration, condition, notYet } = options
  return {
    name: name ?? rule.name,
    toolName: tool === false ? null : (tool ?? rule.toolName),
    toolGroup: group === false ? null : (group ?? rule.toolGroup),
    configurationId:
      configuration === undefined ? rule.configurationId : await idOf(ctx, configuration),
    conditions: condition === false ? [] : (condition?.map(readCondition) ?? rule.conditions),
    enabled: rule.enabled,
    notYet,
  }
}

async function idOf(ctx: Ctx, configuration: string | false): Promise<string | null> {
  return configuration === false ? null : (await findConfiguration(ctx, configuration)).id
}

type Condition = NonNullable<ApprovalRuleInput['conditions']>[number]

/** Parses `PATH OPERATOR VALUE`. A quoted path may contain spaces, so the operator is searched for. */
function readCondition(text: string): Condition {
  const operators = ConditionOperator.options.join('|')
  const match = new RegExp(`^(\\$.*?)\\s+(${operators})(?:\\s+(.*))?$`, 's').exec(text.trim())
  const operator = ConditionOperator.safeParse(match?.[2])
  if (!match || !operator.success) {
    throw new ValidationError({
      condition: `Write a condition as PATH OPERATOR VALUE. The operators are ${ConditionOperator.options.join(', ')}.`,
    })
  }
  return { path: match[1] ?? '', operator: operator.data, value: match[3] ?? '' }
}

export function conditionsText({ conditions }: Pick<ApprovalRuleListing, 'conditions'>): string {
  return conditions
    .map(({ path, operator, value }) => `${path} ${operator} ${value}`.trimEnd())
    .join(' and ')
}
