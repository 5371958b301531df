import { expect, test } from 'vitest'
import { differencesOf } from '@/lib/shape/resource-differences'
import { type TaskVersion, tasks } from './shape'

const skill = { id: 'a', name: 'polite', enabled: true }
const form: TaskVersion = {
  identifier: 'greet',
  name: 'Greet',
  description: '',
  prompt: 'Greet.',
  variables: [],
  configuration: { id: 'c', name: 'Fast' },
  outputSchema: null,
  panel: null,
  skills: [skill],
  costCapMicroUsd: null,
  costCapMode: 'warn',
}

test('history says what changed in the words of the form, in its order', () => {
  const after: TaskVersion = {
    ...form,
    configuration: null,
    skills: [{ ...skill, enabled: false }],
    costCapMicroUsd: 250_000,
    costCapMode: 'enforce',
    name: 'Welcome',
  }
  const differences = differencesOf(tasks, form, after)
  expect(differences.map(({ label, before, after }) => [label, before, after])).toEqual([
    ['Name', 'Greet', 'Welcome'],
    ['Configuration', 'Fast', 'picked for each run'],
    ['Cost cap of a run or panel, US dollars', 'none', '0.25'],
    ['When the cost cap is reached', 'Warn only', 'Stop with a final answer'],
    ['Skills', 'polite', 'polite (off)'],
  ])
})

test('another name of what a task refers to is no change of the task', () => {
  const renamed = {
    configuration: { id: 'c', name: 'Quick' },
    skills: [{ ...skill, name: 'kind' }],
  }
  expect(differencesOf(tasks, form, { ...form, ...renamed })).toEqual([])
})

test('unknown properties of a variable are left out of a stored version and refused in a request', () => {
  const variables = [{ name: 'who', secret: true }]
  const given = { identifier: 'greet', name: 'Greet', prompt: 'Greet {{who}}.' }
  expect(tasks.Create.safeParse({ ...given, variables: [{ name: 'who' }] }).success).toBe(true)
  expect(tasks.Create.safeParse({ ...given, variables }).success).toBe(false)
  const [variable] = tasks.Version.parse({ ...form, variables }).variables
  expect(variable).toMatchObject({ name: 'who', type: 'text' })
  expect(variable).not.toHaveProperty('secret')
})
