import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { PeopleList } from './person-picker'

const found = { rows: [{ id: 'p1', name: 'Ana', email: 'ana@example.org' }], total: 1 }

it('leaves the focus on whoever was picked, who cannot be picked again', async () => {
  const pick = vi.fn()
  const list = (note: string | null) => (
    <PeopleList found={found} noteOf={() => note} onPick={pick} />
  )
  const { rerender } = render(list(null))
  await userEvent.click(screen.getByRole('button', { name: /^Ana/ }))
  rerender(list('in the group'))
  const ana = screen.getByRole('button', { name: /^Ana \(in the group\)/ })
  expect(ana).toHaveFocus()
  expect(ana).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(ana)
  expect(pick).toHaveBeenCalledTimes(1)
})
