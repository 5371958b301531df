import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Changeable } from '@/lib/runs/start/changeable'
import { ChangeFields } from './change-fields'
import { type ChangesDraft, noChanges } from './run-changes'

const changeable: Changeable = {
  allowed: [],
  models: [],
  now: {
    model: 'm1',
    systemPrompt: 'Be brief.',
    temperature: 0.2,
    reasoningEffort: null,
    maxOutputTokens: 500,
  },
  modelName: 'gpt-x',
}

function show(allowed: Changeable['allowed'], changes: Partial<ChangesDraft> = {}) {
  const onChange = vi.fn()
  const given = { ...noChanges, ...changes }
  render(
    <ChangeFields
      changeable={{ ...changeable, allowed }}
      changes={given}
      errors={undefined}
      isOpen
      onChange={onChange}
    />,
  )
  return onChange
}

test('a person who may change nothing does not see the fields', () => {
  show([])
  expect(screen.queryByText(/Changes for this run/)).toBeNull()
})

test('only what may be changed is there, with the value of the configuration', () => {
  const onChange = show(['temperature', 'output-limit'])
  expect(screen.queryByLabelText('Model')).toBeNull()
  expect(screen.queryByLabelText('System prompt')).toBeNull()
  expect(screen.getByLabelText('Max output tokens')).toHaveProperty('placeholder', '500')
  const temperature = screen.getByLabelText('Temperature')
  expect(temperature).toHaveProperty('placeholder', '0.2')
  fireEvent.change(temperature, { target: { value: '1' } })
  expect(onChange).toHaveBeenCalledWith({ ...noChanges, temperature: '1' })
})

test('the prompt of the configuration can be taken over, to edit it', () => {
  const onChange = show(['system-prompt'])
  expect(screen.getByLabelText('System prompt')).toHaveProperty('placeholder', 'Be brief.')
  fireEvent.click(screen.getByRole('button', { name: 'Edit its prompt' }))
  expect(onChange).toHaveBeenCalledWith({ ...noChanges, systemPrompt: 'Be brief.' })
})

test('a run can be without the prompt of the configuration, and what was typed is kept', () => {
  const onChange = show(['system-prompt'], { systemPrompt: 'Be long.' })
  fireEvent.click(screen.getByLabelText('Without a system prompt'))
  const changes = { ...noChanges, systemPrompt: 'Be long.', withoutSystemPrompt: true }
  expect(onChange).toHaveBeenCalledWith(changes)
  cleanup()
  show([], changes)
  expect(screen.getByText('Changes for this run: system prompt')).toBeDefined()
  expect(screen.getByLabelText('System prompt')).toMatchObject({
    disabled: true,
    value: '',
    placeholder: 'None for this run',
  })
  expect(screen.getByLabelText('Without a system prompt')).toMatchObject({ checked: true })
})

test('the system prompt cannot be left out where the configuration has none', () => {
  const now = { ...changeable.now, systemPrompt: '' }
  render(
    <ChangeFields
      changeable={{ ...changeable, allowed: ['system-prompt'], now }}
      changes={noChanges}
      errors={undefined}
      isOpen
      onChange={vi.fn()}
    />,
  )
  expect(screen.getByLabelText('System prompt')).toBeDefined()
  expect(screen.queryByLabelText('Without a system prompt')).toBeNull()
})

test('a change that may not be made any more can be removed', () => {
  const onChange = show([], { temperature: '1' })
  expect(screen.getByText('Changes for this run: temperature')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Remove the changes' }))
  expect(onChange).toHaveBeenCalledWith(noChanges)
})
