import type { Command } from 'commander'
import { approvalRules, type Rule, TriedRule } from '@/lib/domains/approvals/shape'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import { readOptions, withFields } from '@/lib/doors/cli/input/resource-options'
import { ValidationError } from '@/lib/kernel/errors'
import { ConditionOperator } from '@/lib/protocol/approval'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine } from '../print'
import { commandSpec } from '../resource-commands'
import { printTrial, trialExitCode } from './policy'

const load = async () => (await import('@/lib/joined-verbs')).approvalRuleVerbs

const readers = { conditions: (texts: readonly string[]) => texts.map(readCondition) }

export const approvalRuleCommands = commandSpec(approvalRules, {
  words: {
    add: 'add a rule; a call must match every part you give',
    edit: 'change a rule; options you leave out keep their value, and calls that wait keep waiting',
    delete: 'delete a rule; calls that wait because of it keep waiting',
  },
  columns: {
    ACTION: ({ action, fourEyes }) => (fourEyes ? `${action}, four eyes` : action),
    TOOL: ({ toolName, missing }) => nameText(toolName, missing.includes('tool')),
    GROUP: ({ toolGroup, missing }) => nameText(toolGroup, missing.includes('group')),
    SERVER: ({ serverName, missing }) => nameText(serverName, missing.includes('server')),
    CONFIGURATION: ({ configuration }) => configuration?.name ?? 'any',
    PERSON: ({ person }) => person?.email ?? 'any',
    'PERSON GROUP': ({ personGroup }) => personGroup?.name ?? 'any',
    'API KEY': ({ apiKey }) => apiKey?.prefix ?? 'any',
    CONDITIONS: conditionsText,
    OBSERVED: ({ observed }) => (observed ? countOf(observed.calls, 'call') : ''),
  },
  readers,
  confirms: ['add', 'edit', 'delete'],
  refused: sayingNotYet,
  further: addTry,
})

/** Shows which past runs a rule would have changed: a stored one, one in the options, or the first changed by the second. */
function addTry(rule: Command): void {
  const { name: _name, notYet: _notYet, ...parts } = approvalRules.fields
  command<{ days?: number }>(rule, 'try', {
    description:
      'show which past runs a rule would have changed; changes nothing (exit code 0: none, 3: some)',
    args: { '[rule]': 'name or id of a rule to start with' },
    options: (made) =>
      withFields(made, parts, false).option(
        '--days <number>',
        'number of days to look back (default: 30)',
        wholeNumber(1, 365),
      ),
    work: async ({ ctx, args: [name], options: { days, ...options } }) => {
      const { tryRule } = await import('@/lib/runs/replay/try-rule')
      const stored = name === undefined ? null : await (await load()).read(ctx, { id: name })
      const values = {
        ...(stored ?? { name: 'Trial' }),
        ...(await readOptions(ctx, parts, { ...options }, readers)),
      }
      // A stored rule has more than one that is tried.
      const tryable = Object.entries(values).filter(
        ([field]) => field in approvalRules.Create.shape,
      )
      const rule = Object.fromEntries(tryable) as TriedRule
      const trial = await tryRule(ctx, { rule, id: stored?.id, days })
      const { knownNames } = await import('@/lib/toolset/policy/known-names')
      const { unknownNames } = await import('@/lib/domains/approvals/rule-names')
      const { db } = await import('@/lib/kernel/db')
      const tried = TriedRule.parse(rule)
      const unknown = unknownNames(await knownNames(db()), tried)
      return {
        json: trial,
        text: () => {
          for (const sentence of unknown) printLine(sentence)
          printTrial(trial, days ?? 30)
        },
        exitCode: trialExitCode(trial),
      }
    },
  })
}

/** Parses `PATH OPERATOR VALUE`. A quoted path may contain spaces, so the operator is searched for. */
function readCondition(text: string): Rule['conditions'][number] {
  const operators = ConditionOperator.options.join('|')
  const form = new RegExp(`^(\\$.*?)\\s+(loosely-|exactly-)?(${operators})(?:\\s+(.*))?$`, 's')
  const match = form.exec(text.trim())
  const operator = ConditionOperator.safeParse(match?.[3])
  if (!match || !operator.success) {
    throw new ValidationError({
      condition: `Write a condition as PATH OPERATOR VALUE. The operators are ${ConditionOperator.options.join(', ')}; loosely-OPERATOR ignores case, look-alikes and invisible letters, exactly-OPERATOR does not.`,
    })
  }
  return {
    path: match[1] ?? '',
    operator: operator.data,
    value: match[4] ?? '',
    ...(match[2] && { loose: match[2] === 'loosely-' }),
  }
}

/** Adds to a refusal the option that stores a rule about what does not exist yet. */
function sayingNotYet(error: ValidationError): ValidationError {
  const { toolName, toolGroup, serverName } = error.fields
  const unknown = [toolName, toolGroup, serverName].filter((sentence) => sentence !== undefined)
  if (unknown.length === 0) return error
  const hint = 'To store the rule anyway, add --not-yet.'
  return new ValidationError({ '': [...unknown, hint].join(' ') })
}

function nameText(name: string | null, isMissing: boolean): string {
  if (name === null) return 'any'
  return isMissing ? `${name} (does not exist)` : name
}

function conditionsText({ conditions }: Rule): string {
  return conditions
    .map(({ path, operator, value, loose }) =>
      `${path} ${loose ? 'loosely-' : ''}${operator} ${value}`.trimEnd(),
    )
    .join(' and ')
}
