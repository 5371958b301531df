import { expect, test } from 'vitest'
import { runSnapshot } from '@/tests/support/run-fixture'
import { changeErrors, changesInput, changesOf, changeWords, noChanges } from './run-changes'

test('empty fields are as the configuration says, and default is the model’s own', () => {
  expect(changesInput(undefined)).toBeNull()
  expect(changesInput({ ...noChanges, systemPrompt: '  \n' })).toBeNull()
  const changes = { ...noChanges, model: 'm', temperature: 'default', maxOutputTokens: '1,200' }
  expect(changesInput(changes)).toEqual({ model: 'm', temperature: null, maxOutputTokens: 1_200 })
  expect(changeWords(changes)).toBe('model, temperature, and max output tokens')
  const without = { ...noChanges, systemPrompt: 'Be brief.', withoutSystemPrompt: true }
  expect(changesInput(without)).toEqual({ systemPrompt: '' })
  expect(changeWords(without)).toBe('system prompt')
})

test('a text that is no number is said at its field', () => {
  expect(changeErrors(noChanges)).toBeUndefined()
  expect(changeErrors({ ...noChanges, temperature: 'warm' })).toEqual({
    temperature: 'Give a number such as 0.7.',
  })
})

test('the changes of a run fill the fields that they were made with', () => {
  const { parameters } = runSnapshot()
  const snapshot = runSnapshot({ parameters: { ...parameters, temperature: 0.3 } })
  const start = {
    prompt: 'Hi',
    actor: { userId: 'u', email: 'a@b.c', role: 'admin' as const },
    accepted: [],
    rejected: [],
    nonce: '',
    canary: '',
    snapshot,
  }
  expect(changesOf(start)).toEqual(noChanges)
  const changes = changesOf({ ...start, overridden: ['model', 'temperature', 'output-limit'] })
  expect(changes).toEqual({
    ...noChanges,
    model: 'model-record-1',
    temperature: '0.3',
    maxOutputTokens: 'default',
  })
  const silent = { ...start, snapshot: { ...snapshot, systemPrompt: '' } }
  expect(changesOf({ ...silent, overridden: ['system-prompt'] })).toEqual({
    ...noChanges,
    withoutSystemPrompt: true,
  })
  expect(changesInput(changes)).toEqual({
    model: 'model-record-1',
    temperature: 0.3,
    maxOutputTokens: null,
  })
})
