import { createApprovalRule } from '@/lib/approvals/create-approval-rule'
import { deleteApprovalRule } from '@/lib/approvals/delete-approval-rule'
import { findApprovalRule } from '@/lib/approvals/find-approval-rule'
import { listApprovalRules } from '@/lib/approvals/list-approval-rules'
import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { setApprovalRuleEnabled } from '@/lib/approvals/set-approval-rule-enabled'
import { updateApprovalRule } from '@/lib/approvals/update-approval-rule'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { conditionsText, type RuleOptions, withRuleOptions } from './rule-options'

export type AddRuleOptions = CommonOptions & RuleOptions & { name: string; disabled?: boolean }
export type ChangeRuleOptions = CommonOptions & RuleOptions

export async function printRules(options: CommonOptions): Promise<void> {
  const rules = await listApprovalRules(await actingCtx(options.as))
  if (options.json) return printJson(rules)
  printRuleTable(rules)
}

function printRuleTable(rules: ApprovalRuleListing[]): void {
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
  const rule = { name: options.name, enabled: !options.disabled }
  const { id } = await createApprovalRule(ctx, await withRuleOptions(ctx, rule, options))
  if (options.json) return printJson({ id, name: options.name })
  printLine(`Added the rule (${id}).`)
}

/** What the options leave out stays. */
export async function changeRule(name: string, options: ChangeRuleOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const before = await findApprovalRule(ctx, name)
  const { id } = before
  await updateApprovalRule(ctx, id, await withRuleOptions(ctx, before, options))
  const after = await findApprovalRule(ctx, id)
  if (options.json) return printJson(after)
  printLine('Changed the rule:')
  printRuleTable([after])
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
