import { createApprovalRule } from '@/lib/approvals/create-approval-rule'
import { deleteApprovalRule } from '@/lib/approvals/delete-approval-rule'
import { findApprovalRule } from '@/lib/approvals/find-approval-rule'
import { listApprovalRules } from '@/lib/approvals/list-approval-rules'
import type { ApprovalRuleInput, ApprovalRuleListing } from '@/lib/approvals/schemas'
import { setApprovalRuleEnabled } from '@/lib/approvals/set-approval-rule-enabled'
import { findConfiguration } from '@/lib/configurations/find-configuration'
import { ValidationError } from '@/lib/errors'
import { ConditionOperator } from '@/lib/protocol/approval-rule'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'

export type AddRuleOptions = CommonOptions & {
  name: string
  tool?: string
  group?: string
  configuration?: string
  condition?: string[]
  disabled?: boolean
}

export async function printRules(options: CommonOptions): Promise<void> {
  const rules = await listApprovalRules(await actingCtx(options.as))
  if (options.json) return printJson(rules)
  printTable(
    ['NAME', 'STATE', 'TOOL', 'GROUP', 'CONFIGURATION', 'CONDITIONS'],
    rules.map((rule) => [
      rule.name,
      rule.enabled ? 'on' : 'off',
      rule.toolName ?? 'any',
      rule.toolGroup ?? 'any',
      rule.configurationName ?? 'any',
      conditionsText(rule),
    ]),
  )
}

export async function addRule(options: AddRuleOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const configuration = options.configuration
    ? await findConfiguration(ctx, options.configuration)
    : null
  const { id } = await createApprovalRule(ctx, {
    name: options.name,
    toolName: options.tool ?? null,
    toolGroup: options.group ?? null,
    configurationId: configuration?.id ?? null,
    conditions: (options.condition ?? []).map(readCondition),
    enabled: !options.disabled,
  })
  if (options.json) return printJson({ id, name: options.name })
  printLine(`Added the rule (${id}).`)
}

export async function removeRule(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const rule = await findApprovalRule(ctx, name)
  await deleteApprovalRule(ctx, rule.id)
  if (options.json) return printJson({ id: rule.id, name: rule.name, removed: true })
  printLine('Removed the rule.')
}

export async function switchRule(
  name: string,
  enabled: boolean,
  options: CommonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const rule = await findApprovalRule(ctx, name)
  await setApprovalRuleEnabled(ctx, { id: rule.id, enabled })
  if (options.json) return printJson({ id: rule.id, name: rule.name, enabled })
  printLine(`The rule is ${enabled ? 'on' : 'off'}.`)
}

type Condition = NonNullable<ApprovalRuleInput['conditions']>[number]

/** `PATH OPERATOR VALUE`; a path may hold blanks in its quotes, so the operator is what it is found by. */
function readCondition(text: string): Condition {
  const operators = ConditionOperator.options.join('|')
  const match = new RegExp(`^(\\$.*?)\\s+(${operators})(?:\\s+(.*))?$`, 's').exec(text.trim())
  const operator = ConditionOperator.safeParse(match?.[2])
  if (!match || !operator.success) {
    throw new ValidationError({
      condition: `A condition is PATH OPERATOR VALUE, with an operator of ${ConditionOperator.options.join(', ')}.`,
    })
  }
  return { path: match[1] ?? '', operator: operator.data, value: match[3] ?? '' }
}

function conditionsText({ conditions }: ApprovalRuleListing): string {
  return conditions
    .map(({ path, operator, value }) => `${path} ${operator} ${value}`.trimEnd())
    .join(' and ')
}
