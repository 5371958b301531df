import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PersonPicker } from './person-picker'

const ana = { id: 'u1', name: 'Ana', email: 'ana@example.org' }

test('asks the server for who is typed, picks with a press, and back to nobody', async () => {
  const find = vi.fn(async ({ search }: { search: string }) => {
    const rows = search === 'nobody' ? [] : [ana]
    return { ok: true as const, value: { rows, total: rows.length * 9 } }
  })
  const onPick = vi.fn()
  const label = 'User'
  render(<PersonPicker label={label} any="Myself" chosen={null} find={find} onPick={onPick} />)
  const button = screen.getByRole('button', { name: 'User: Myself' })
  expect(find).not.toHaveBeenCalled()
  fireEvent.click(button)
  expect(await screen.findByText('8 more: go on typing.')).toBeVisible()
  const search = screen.getByRole('searchbox', { name: 'Search people' })
  fireEvent.change(search, { target: { value: 'nobody' } })
  expect(await screen.findByText('Nobody is called that.')).toBeVisible()
  fireEvent.change(search, { target: { value: 'ana' } })
  fireEvent.click(await screen.findByRole('button', { name: /ana@example\.org/ }))
  expect(find).toHaveBeenLastCalledWith({ search: 'ana' })
  expect(onPick).toHaveBeenLastCalledWith('u1')
  expect(screen.queryByRole('searchbox')).toBeNull()
  fireEvent.click(button)
  fireEvent.click(screen.getByRole('button', { name: 'Myself' }))
  expect(onPick).toHaveBeenLastCalledWith(undefined)
})
