import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { VariableFields } from './variable-fields'

test('a number may be negative, so phones show a keyboard with a minus', () => {
  const variables = [TaskVariable.parse({ name: 'change', label: 'Change', type: 'number' })]
  render(
    <VariableFields id="task" variables={variables} values={{}} errors={{}} onChange={vi.fn()} />,
  )
  expect(screen.getByRole('textbox', { name: /Change/ })).toHaveAttribute('inputmode', 'text')
})
