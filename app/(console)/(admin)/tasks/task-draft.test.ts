import { expect, it } from 'vitest'
import { TaskInput } from '@/lib/domains/tasks/schemas'
import { type TaskForm, TaskVariable } from '@/lib/protocol/task-form'
import { draftOf, emptyDraft, newVariable, toTaskInput } from './task-draft'

const id = '019a0000-0000-7000-8000-000000000001'
const form: TaskForm = {
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
  skills: [{ id, name: 'read-logs', enabled: false }],
  costCapMicroUsd: 250_000,
  costCapMode: 'enforce',
}

it('holds all of a task, and gives it back', () => {
  const draft = draftOf(form)
  expect(draft).toMatchObject({ costCap: '0.25', configurationId: id })
  const { configuration: _, ...facts } = form
  const skills = [{ id, enabled: false }]
  const made = toTaskInput(draft)
  expect(made).toEqual({ input: { ...facts, configurationId: id, skills }, wrong: {} })
  expect(JSON.stringify(made.input.outputSchema)).toBe(JSON.stringify(form.outputSchema))
  expect(TaskInput.safeParse(made.input).success).toBe(true)
})

it('says which fields are no numbers', () => {
  const variables = [{ ...newVariable([], 'a'), maxLength: 'many' }]
  const { input, wrong } = toTaskInput({ ...emptyDraft, costCap: '1,5', variables })
  expect(wrong).toEqual({
    costCapMicroUsd: expect.any(String),
    'variables.0.maxLength': 'Enter a whole number.',
  })
  // The server refuses them as well, beside whatever else is wrong.
  const refused = TaskInput.safeParse(input).error?.issues.map(({ path }) => path.join('.'))
  expect(refused).toEqual(expect.arrayContaining(Object.keys(wrong)))
})

it.each(['{', '[]', '{"type":"objekt"}'])(
  'a schema that is none, %s, is refused',
  (outputSchema) => {
    const { input } = toTaskInput({ ...draftOf(form), outputSchema })
    const [issue] = TaskInput.safeParse(input).error?.issues ?? []
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
  expect(made).toMatchObject({ input: { variables: [{ options: [], maxLength: null }] } })
})
