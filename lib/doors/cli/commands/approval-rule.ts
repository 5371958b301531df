import { type Command, Option } from 'commander'
import type { ApprovalRuleInput, ApprovalRuleListing } from '@/lib/domains/approvals/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { ConditionOperator, RuleAction } from '@/lib/protocol/approval'
import { countOf } from '@/lib/protocol/format'
import type { Simulation } from '@/lib/runs/simulate-approval-rule'
import type { MarkedRule } from '@/lib/toolset/known-names'
import { command } from '../command'
import { wholeNumber } from '../common-options'
import { cutLine, printLine, printTable } from '../print'

const reads = () => import('@/lib/domains/approvals/reads')
const verbs = () => import('@/lib/domains/approvals/verbs')
const saving = () => import('@/lib/toolset/save-approval-rule')
const names = () => import('@/lib/toolset/known-names')

/** What a command says of a rule; false = the rule no longer says anything about that. */
type RuleOptions = {
  name?: string
  action?: RuleAction
  tool?: string | false
  group?: string | false
  configuration?: string | false
  condition?: string[] | false
  /** The tool or group does not exist yet. */
  notYet?: boolean
}

const named = { '<rule>': 'name or id of the rule' }

export function addApprovalRuleCommands(approval: Command): void {
  const rule = approval
    .command('rule')
    .description('which calls are refused, need approval or are noted')
  command(rule, 'list', {
    description: 'list the rules',
    work: async ({ ctx }) => {
      const rules = await (await reads()).listApprovalRules(ctx, {})
      const marked = await (await names()).withMissing(rules)
      return { json: marked, text: () => printRules(marked) }
    },
  })
  addAdd(rule)
  addEdit(rule)
  addTry(rule)
  addDelete(rule)
  addSwitch(rule, 'enable', true)
  addSwitch(rule, 'disable', false)
}

function addAdd(rule: Command): void {
  command<RuleOptions & { name: string; disabled?: boolean }>(rule, 'add', {
    description: 'add a rule; a call must match every part you give',
    options: (made) =>
      withNotYet(withParts(made))
        .requiredOption('--name <name>', 'name of the rule')
        .option('--disabled', 'add it switched off'),
    work: async ({ ctx, options }) => {
      const { name, disabled } = options
      const input = await withRuleOptions(ctx, { name, enabled: !disabled }, options)
      const { addApprovalRule } = await saving()
      const { id } = await sayingNotYet(() => addApprovalRule(ctx, input))
      return { json: { id, name }, text: `Added the rule (${id}).` }
    },
  })
}

function addEdit(rule: Command): void {
  command<RuleOptions>(rule, 'edit', {
    description:
      'change a rule; options you leave out keep their value, and calls that wait keep waiting',
    alias: 'change',
    args: named,
    options: (made) =>
      withNotYet(withoutParts(withParts(made))).option('--name <name>', 'new name'),
    work: async ({ ctx, args: [name = ''], options }) => {
      const { findApprovalRule } = await reads()
      const { editApprovalRule } = await saving()
      const before = await findApprovalRule(ctx, { rule: name })
      const { id, updatedAt } = before
      const input = await withRuleOptions(ctx, before, options)
      await sayingNotYet(() => editApprovalRule(ctx, { ...input, id, updatedAt }))
      const after = [await findApprovalRule(ctx, { rule: id })]
      const marked = await (await names()).withMissing(after)
      return {
        json: marked[0],
        text: () => {
          printLine('Changed the rule:')
          printRules(marked)
        },
      }
    },
  })
}

/** Shows which past calls a rule would have matched: a stored one, one in the options, or the first changed by the second. */
function addTry(rule: Command): void {
  command<RuleOptions & { days?: number }>(rule, 'try', {
    description: 'show which past calls a rule would have matched; changes nothing',
    args: { '[rule]': 'name or id of a rule to start with' },
    options: (made) =>
      withoutParts(withParts(made)).option(
        '--days <number>',
        'number of days to look back (default: 30)',
        wholeNumber(1, 365),
      ),
    work: async ({ ctx, args: [name], options }) => {
      const { findApprovalRule } = await reads()
      const { simulateApprovalRule } = await import('@/lib/runs/simulate-approval-rule')
      const base =
        name === undefined ? { name: 'Trial' } : await findApprovalRule(ctx, { rule: name })
      const tried = await withRuleOptions(ctx, base, options)
      const simulation = await simulateApprovalRule(ctx, { rule: tried, days: options.days })
      return {
        json: simulation,
        text: async () => {
          for (const sentence of await (await names()).unknownNames(tried)) printLine(sentence)
          printSimulation(simulation)
        },
      }
    },
  })
}

function addDelete(rule: Command): void {
  command(rule, 'delete', {
    description: 'delete a rule; calls that wait because of it keep waiting',
    alias: 'remove',
    args: named,
    work: async ({ ctx, args: [given = ''] }) => {
      const { id, name } = await (await reads()).findApprovalRule(ctx, { rule: given })
      await (await verbs()).deleteApprovalRule(ctx, { id })
      return { json: { id, name, removed: true }, text: 'Deleted the rule.' }
    },
  })
}

function addSwitch(rule: Command, verb: string, enabled: boolean): void {
  const state = enabled ? 'on' : 'off'
  command(rule, verb, {
    description: `switch a rule ${state}`,
    args: named,
    work: async ({ ctx, args: [given = ''] }) => {
      const { id, name } = await (await reads()).findApprovalRule(ctx, { rule: given })
      await (await verbs()).setApprovalRuleEnabled(ctx, { id, enabled })
      return { json: { id, name, enabled }, text: `The rule is ${state}.` }
    },
  })
}

function withParts(made: Command): Command {
  return made
    .addOption(
      new Option(
        '--action <action>',
        'what happens to a call that matches; of several rules, the first of these counts',
      ).choices(RuleAction.options),
    )
    .option('--tool <name>', 'calls of this tool')
    .option('--group <name>', 'calls of the tools of this group')
    .option('--configuration <name>', 'runs with this configuration (identifier or id)')
    .option('--condition <text...>', "'PATH OPERATOR VALUE', as in '$.to ends-with @example.org'")
}

function withoutParts(made: Command): Command {
  return made
    .option('--no-tool', 'calls of any tool')
    .option('--no-group', 'calls of the tools of any group')
    .option('--no-configuration', 'runs with any configuration')
    .option('--no-condition', 'any arguments')
}

function withNotYet(made: Command): Command {
  return made.option('--not-yet', 'store it although its tool or group does not exist yet')
}

/** Returns a rule with the values of the options. Fields without an option stay unchanged. */
async function withRuleOptions(
  ctx: Ctx,
  rule: ApprovalRuleInput,
  options: RuleOptions,
): Promise<ApprovalRuleInput> {
  const { name, action, tool, group, configuration, condition, notYet } = options
  return {
    name: name ?? rule.name,
    action: action ?? rule.action,
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
  if (configuration === false) return null
  const { findConfiguration } = await import('@/lib/domains/configurations/reads')
  return (await findConfiguration(ctx, configuration)).id
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

function printRules(rules: MarkedRule[]): void {
  printTable(
    ['NAME', 'STATE', 'ACTION', 'TOOL', 'GROUP', 'CONFIGURATION', 'CONDITIONS'],
    rules.map((rule) => [
      rule.name,
      rule.enabled ? 'on' : 'off',
      rule.action,
      nameText(rule.toolName, rule.missing.includes('tool')),
      nameText(rule.toolGroup, rule.missing.includes('group')),
      rule.configurationName ?? 'any',
      conditionsText(rule),
    ]),
  )
}

function nameText(name: string | null, isMissing: boolean): string {
  if (name === null) return 'any'
  return isMissing ? `${name} (does not exist)` : name
}

function conditionsText({ conditions }: Pick<ApprovalRuleListing, 'conditions'>): string {
  return conditions
    .map(({ path, operator, value }) => `${path} ${operator} ${value}`.trimEnd())
    .join(' and ')
}

function printSimulation({ looked, limited, stopped, calls }: Simulation): void {
  printLine(`The rule would have matched ${stopped} of ${countOf(looked, 'call')}.`)
  if (limited) printLine('There were more calls in this period. Only the newest were checked.')
  if (calls.length === 0) return
  printTable(
    ['AT', 'RUN', 'TOOL', 'ARGUMENTS', 'OUTCOME'],
    calls.map(({ at, runId, toolName, argumentsText, outcome }) => [
      at,
      runId,
      toolName,
      cutLine(argumentsText),
      outcome ?? 'none',
    ]),
  )
  if (stopped > calls.length) printLine(`Showing ${calls.length} of ${stopped}.`)
}
