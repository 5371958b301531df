import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ScopeField } from './scope-field'

const named = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `id-${at}`, name: `Thing ${at}` }))
const names = { groups: named(200), configurations: named(2) }

test('says beside the choice of a person that there must be one', () => {
  render(
    <ScopeField
      id="who"
      scope="user"
      scopeId={null}
      names={names}
      error="Pick a person."
      onPick={vi.fn()}
    />,
  )
  const button = screen.getByLabelText('Person')
  expect(button).toBeInvalid()
  expect(button).toHaveAccessibleDescription('Pick a person.')
})

test('one of hundreds is found by typing, one of a few is picked from a list', () => {
  const field = { id: 'who', scopeId: null, names, onPick: vi.fn() }
  const { rerender } = render(<ScopeField {...field} scope="group" />)
  expect(screen.getByLabelText('Group')).toHaveAttribute('aria-haspopup', 'dialog')
  rerender(<ScopeField {...field} scope="configuration" />)
  expect(screen.getByLabelText('Configuration')).not.toHaveAttribute('aria-haspopup', 'dialog')
})
