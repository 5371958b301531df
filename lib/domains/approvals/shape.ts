import { z } from 'zod'
import { ArgumentCondition, type ConditionOperator, RuleAction } from '../../protocol/approval'
import type { ResourceField } from '../../protocol/field-shape'
import { Name } from '../../protocol/identifier'
import { parseJsonPath } from '../../protocol/json-text'

const nothingToCompare: readonly ConditionOperator[] = ['exists', 'missing']
const comparesNumbers: readonly ConditionOperator[] = ['greater-than', 'less-than']

const Condition = z
  .object({
    path: z.string().trim(),
    operator: ArgumentCondition.shape.operator,
    value: z.string().max(1_000, 'A value has at most 1,000 characters.').default(''),
  })
  .superRefine(({ path, operator, value }, context) => {
    const parsed = parseJsonPath(path)
    if (!parsed.ok) context.addIssue({ code: 'custom', path: ['path'], message: parsed.message })
    const message = valueIssue(operator, value)
    if (message) context.addIssue({ code: 'custom', path: ['value'], message })
  })

function valueIssue(operator: ConditionOperator, value: string): string | null {
  if (nothingToCompare.includes(operator)) {
    return value === '' ? null : `"${operator}" takes no value.`
  }
  if (comparesNumbers.includes(operator)) {
    const isNumber = value.trim() !== '' && Number.isFinite(Number(value))
    return isNumber ? null : `"${operator}" compares numbers. Enter a number.`
  }
  const takesEmpty = operator === 'equals' || operator === 'not-equals'
  return value === '' && !takesEmpty ? `"${operator}" needs a value.` : null
}

/** What happens to a call that a rule matches; completes "A call …". */
export const ruleActionWords: Record<RuleAction, string> = {
  deny: 'is refused',
  ask: 'waits for approval',
  'ask-once': 'waits for approval, once a run',
  observe: 'starts, with a note in the trace',
}

/** What a person enters for a rule; null = any. What a tool, group or configuration may be, pages know. */
export const ruleShape = {
  name: {
    kind: 'text',
    label: 'Name',
    hint: 'Shown as the reason to the person who decides.',
    schema: Name,
  },
  toolName: {
    kind: 'own',
    label: 'Tool',
    schema: z.string().trim().min(1).max(200).nullable(),
    defaultValue: null,
  },
  toolGroup: {
    kind: 'own',
    label: 'Tool group',
    schema: z.string().trim().min(1).max(100).nullable(),
    defaultValue: null,
  },
  configurationId: {
    kind: 'own',
    label: 'Configuration',
    schema: z.uuid('Pick a configuration.').nullable(),
    defaultValue: null,
  },
  action: {
    kind: 'select',
    label: 'A call that matches',
    choices: [
      { value: 'ask', label: ruleActionWords.ask },
      {
        value: 'ask-once',
        label: ruleActionWords['ask-once'],
        hint: 'After one call of a tool was approved unchanged, others of that run that match start without asking.',
      },
      { value: 'deny', label: ruleActionWords.deny },
      {
        value: 'observe',
        label: ruleActionWords.observe,
        hint: 'To see what a rule matches before it asks or refuses.',
      },
    ],
    schema: RuleAction,
    defaultValue: 'ask',
  },
  conditions: {
    kind: 'own',
    label: 'Conditions',
    schema: z.array(Condition).max(10, 'At most 10 conditions.'),
    defaultValue: [],
  },
  enabled: { kind: 'checkbox', label: 'Rule is on', schema: z.boolean(), defaultValue: true },
  /** Confirms that the tool or group does not exist yet. It is audited and not stored. */
  notYet: {
    kind: 'checkbox',
    label: 'The tool or group does not exist yet',
    schema: z.boolean(),
    defaultValue: false,
  },
} as const satisfies Record<string, ResourceField>
