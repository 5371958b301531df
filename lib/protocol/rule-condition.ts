import { z } from 'zod'
import { parseJsonPath } from '@/lib/words/json-text'
import { ArgumentCondition, type ConditionOperator } from './approval'
import { canBeLoose } from './condition-words'

const nothingToCompare: readonly ConditionOperator[] = ['exists', 'missing']
const comparesNumbers: readonly ConditionOperator[] = [
  'greater-than',
  'at-least',
  'less-than',
  'at-most',
]

/** A condition of a rule, with a value that its operator can compare. */
export const RuleCondition = z
  .object({
    path: z.string().trim(),
    operator: ArgumentCondition.shape.operator,
    value: z.string().max(1_000, 'A value has at most 1,000 characters.').default(''),
    loose: z.boolean().optional().meta({
      description:
        'True = it ignores case, look-alikes and invisible letters. Left out of a new rule that refuses calls, texts are compared so; else not.',
    }),
  })
  .superRefine(({ path, operator, value, loose }, context) => {
    if (loose && !canBeLoose(operator)) {
      const message = `"${operator}" compares exactly.`
      context.addIssue({ code: 'custom', path: ['loose'], message })
    }
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

/** Returns conditions as they are stored. `isLoose`: whether those that do not say it ignore case, look-alikes and invisible letters. */
export function storedConditions(conditions: readonly ArgumentCondition[], isLoose: boolean) {
  return conditions.map(({ loose = isLoose, ...condition }) =>
    loose && canBeLoose(condition.operator) ? { ...condition, loose } : condition,
  )
}
