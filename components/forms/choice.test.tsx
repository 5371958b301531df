import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Choice } from './choice'

const groups = Array.from({ length: 20 }, (_, at) => ({
  value: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  label: `Team ${at}`,
  hint: `team-${at}`,
}))

function show(options: typeof groups) {
  const pick = vi.fn()
  render(
    <Choice
      aria-label="Group"
      placeholder="Add to group…"
      options={options}
      value=""
      onValueChange={pick}
    />,
  )
  return pick
}

it('finds one of many by typing, and never by its id', async () => {
  const pick = show(groups)
  const field = screen.getByRole('combobox', { name: 'Group' })
  expect(field).toHaveTextContent('Add to group…')
  await userEvent.click(field)
  const search = screen.getByPlaceholderText('Search')
  fireEvent.change(search, { target: { value: '0000-7000' } })
  expect(screen.getByText('No matches')).toBeVisible()
  fireEvent.change(search, { target: { value: 'team-17 TEAM' } })
  expect(screen.getAllByRole('option')).toHaveLength(1)
  await userEvent.click(screen.getByRole('option', { name: 'Team 17' }))
  expect(pick).toHaveBeenCalledWith(groups[17]?.value)
  expect(screen.queryByRole('option')).toBeNull()
  expect(field).toHaveFocus()
})

it('is a plain list where there are few', async () => {
  const pick = show(groups.slice(0, 3))
  screen.getByRole('combobox', { name: 'Group' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByPlaceholderText('Search')).toBeNull()
  await userEvent.click(screen.getByRole('option', { name: 'Team 2' }))
  expect(pick).toHaveBeenCalledWith(groups[2]?.value)
})
