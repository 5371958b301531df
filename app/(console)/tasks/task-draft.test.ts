import { expect, it } from 'vitest'
import { type TaskVersion, tasks } from '@/lib/domains/tasks/shape'
import { TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { draftOf, emptyDraft, newVariable, toTaskInput } from './task-draft'

const id = '019a0000-0000-7000-8000-000000000001'
const form: TaskVersion = {
  identifier: 'notes',
  name: 'Notes',
  description: '',
  prompt: '{{tone}} {{text}}',
  variables: [
    TaskVariable.parse({ name: 'tone', type: 'choice', options: ['dry', 'warm'], default: 'dry' }),
    TaskVariable.parse({ name: 'text', type: 'long-text', label: 'Text', maxLength: 200 }),
  ],
  configuration: { id, name: 'Demo' },
  outputSchema: { type: 'object', properties: { z: {}, a: {} } },
  panel: null,
  skills: [{ id, name: 'read-logs', enabled: false }],
  costCapMicroUsd: 250_000,
  costCapMode: 'enforce',
}

it('holds all of a task, and gives it back', () => {
  const draft = draftOf(form)
  expect(draft).toMatchObject({ costCapMicroUsd: '0.25', configurationId: id })
  const { configuration: _, ...facts } = form
  const skills = [{ id, enabled: false }]
  const made = toTaskInput(draft)
  expect(made).toEqual({ ...facts, configurationId: id, skills })
  expect(JSON.stringify(made.outputSchema)).toBe(JSON.stringify(form.outputSchema))
  expect(tasks.Create.safeParse(made).success).toBe(true)
})

it('sends what is no number as one that the server refuses beside its field', () => {
  const variables = [{ ...newVariable([], 'a'), maxLength: 'many' }]
  const input = toTaskInput({ ...emptyDraft, costCapMicroUsd: '1,5', variables })
  const issues = tasks.Create.safeParse(input).error?.issues ?? []
  const refused = Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
  expect(refused).toMatchObject({
    costCapMicroUsd: 'Enter US dollars such as 0.25, with up to six decimals.',
    'variables.0.maxLength': 'Enter a whole number.',
  })
})

it.each(['{', '[]', '{"type":"objekt"}'])(
  'a schema that is none, %s, is refused',
  (outputSchema) => {
    const input = toTaskInput({ ...draftOf(form), outputSchema })
    const [issue] = tasks.Create.safeParse(input).error?.issues ?? []
    expect(issue?.path).toEqual(['outputSchema'])
  },
)

it('gives rows keys of their own, and forgets what does not belong to a type', () => {
  const first = newVariable([], 'a')
  const second = {
    ...newVariable([first], 'b'),
    options: 'x',
    maxLength: 'many',
    type: 'date' as const,
  }
  expect([first.key, second.key]).toEqual([0, 1])
  const made = toTaskInput({ ...emptyDraft, variables: [second] })
  expect(made).toMatchObject({ variables: [{ options: [], maxLength: null }] })
})
