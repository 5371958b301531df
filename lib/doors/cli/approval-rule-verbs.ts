import { findApprovalRule, listApprovalRules } from '@/lib/domains/approvals/reads'
import { deleteApprovalRule, setApprovalRuleEnabled } from '@/lib/domains/approvals/verbs'
import { ValidationError } from '@/lib/kernel/errors'
import { type MarkedRule, withMissing } from '@/lib/toolset/known-names'
import { addApprovalRule, editApprovalRule } from '@/lib/toolset/save-approval-rule'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { conditionsText, type RuleOptions, withRuleOptions } from './rule-options'

export type AddRuleOptions = CommonOptions & RuleOptions & { name: string; disabled?: boolean }
export type ChangeRuleOptions = CommonOptions & RuleOptions

export async function printRules(options: CommonOptions): Promise<void> {
  const rules = await withMissing(await listApprovalRules(await actingCtx(options.as)))
  if (options.json) return printJson(rules)
  printRuleTable(rules)
}

function printRuleTable(rules: MarkedRule[]): void {
  printTable(
    ['NAME', 'STATE', 'TOOL', 'GROUP', 'CONFIGURATION', 'CONDITIONS'],
    rules.map((rule) => [
      rule.name,
      rule.enabled ? 'on' : 'off',
      marked(rule.toolName, rule.missing.includes('tool')),
      marked(rule.toolGroup, rule.missing.includes('group')),
      rule.configurationName ?? 'any',
      conditionsText(rule),
    ]),
  )
}

function marked(name: string | null, isMissing: boolean): string {
  if (name === null) return 'any'
  return isMissing ? `${name} (does not exist)` : name
}

/** Adds to a refusal the option that stores a rule about a tool or group that does not exist yet. */
async function sayingNotYet<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const { toolName, toolGroup } = error.fields
    const unknown = [toolName, toolGroup].filter((sentence) => sentence !== undefined)
    if (unknown.length === 0) throw error
    const hint = 'To store the rule anyway, add --not-yet.'
    throw new ValidationError({ '': [...unknown, hint].join(' ') })
  }
}

export async function addRule(options: AddRuleOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const rule = { name: options.name, enabled: !options.disabled }
  const input = await withRuleOptions(ctx, rule, options)
  const { id } = await sayingNotYet(() => addApprovalRule(ctx, input))
  if (options.json) return printJson({ id, name: options.name })
  printLine(`Added the rule (${id}).`)
}

/** Changes a rule. Fields without an option stay unchanged. */
export async function changeRule(name: string, options: ChangeRuleOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const before = await findApprovalRule(ctx, name)
  const { id, updatedAt } = before
  const input = await withRuleOptions(ctx, before, options)
  await sayingNotYet(() => editApprovalRule(ctx, { ...input, id, updatedAt }))
  const [after] = await withMissing([await findApprovalRule(ctx, id)])
  if (!after) throw new Error('A rule that was read is listed.')
  if (options.json) return printJson(after)
  printLine('Changed the rule:')
  printRuleTable([after])
}

export async function removeRule(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const rule = await findApprovalRule(ctx, name)
  await deleteApprovalRule(ctx, { id: rule.id })
  if (options.json) return printJson({ id: rule.id, name: rule.name, removed: true })
  printLine('Deleted the rule.')
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
