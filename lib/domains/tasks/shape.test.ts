import { expect, test } from 'vitest'
import type { TaskForm } from '../../protocol/task-form'
import { diffTasks } from './shape'

const skill = { id: 'a', name: 'polite', enabled: true }
const form: TaskForm = {
  ...{ identifier: 'greet', name: 'Greet', description: '', prompt: 'Greet.', variables: [] },
  ...{ configuration: { id: 'c', name: 'Fast' }, outputSchema: null, skills: [skill] },
  ...{ costCapMicroUsd: null, costCapMode: 'warn' },
}

test('history says what changed in the words of the form, in its order', () => {
  const after: TaskForm = {
    ...form,
    ...{ configuration: null, skills: [{ ...skill, enabled: false }] },
    ...{ costCapMicroUsd: 250_000, costCapMode: 'enforce', name: 'Welcome' },
  }
  expect(diffTasks(form, after).map(({ label, before, after }) => [label, before, after])).toEqual([
    ['Name', 'Greet', 'Welcome'],
    ['Configuration', 'Fast', 'picked for each run'],
    ['Skills', 'polite', 'polite (off)'],
    ['Cost cap', 'none', '$0.25'],
    ['When the cost cap is reached', 'Warn only', 'Stop with a final answer'],
  ])
})

test('another name of what a task refers to is no change of the task', () => {
  const renamed = {
    configuration: { id: 'c', name: 'Quick' },
    skills: [{ ...skill, name: 'kind' }],
  }
  expect(diffTasks(form, { ...form, ...renamed })).toEqual([])
})
