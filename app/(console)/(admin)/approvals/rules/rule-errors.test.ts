import { expect, test } from 'vitest'
import { ruleErrors, withoutErrorsOf } from './rule-errors'

test('errors find their field, however the rule was wrapped', () => {
  const error = (fields: Record<string, string>) =>
    ruleErrors({ code: 'invalid-input', message: 'm', fields })
  expect(error({ 'rule.conditions.0.path': 'a', 'rule.name': 'b' })).toEqual({
    fields: { 'conditions.0.path': 'a', name: 'b' },
    general: null,
  })
  expect(error({ name: 'b' }).fields).toEqual({ name: 'b' })
  expect(error({ rule: 'Pick a tool.' })).toEqual({ fields: {}, general: 'Pick a tool.' })
  expect(error({ '': 'Pick a tool.' }).general).toBe('Pick a tool.')
  expect(ruleErrors({ code: 'conflict', message: 'Taken.' }).general).toBe('Taken.')
})

test('an error leaves with the change of its part, others stay', () => {
  const fields = { name: 'a', 'conditions.0.path': 'b', 'conditions.1.value': 'c' }
  const errors = { fields, general: 'd' }
  expect(withoutErrorsOf(errors, ['conditions'])).toEqual({ fields: { name: 'a' }, general: null })
  expect(withoutErrorsOf(errors, ['toolName']).fields).toEqual(fields)
})
