import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { HeaderRow } from '@/components/nouns/connection-draft'
import { HeaderRows } from './header-rows'

function Form() {
  const [rows, setRows] = useState<HeaderRow[]>([])
  return <HeaderRows rows={rows} error={undefined} onChange={setRows} />
}

test('the focus goes to what was added, and to the neighbour of what is left out', () => {
  render(<Form />)
  const add = screen.getByRole('button', { name: 'Add header' })
  const name = (place: number) => screen.getByRole('textbox', { name: `Header ${place}` })
  const leaveOut = (place: number) =>
    fireEvent.click(screen.getByRole('button', { name: `Remove header ${place}` }))
  fireEvent.click(add)
  expect(name(1)).toHaveFocus()
  fireEvent.click(add)
  expect(name(2)).toHaveFocus()
  fireEvent.change(name(2), { target: { value: 'x-team' } })
  leaveOut(1)
  expect(name(1)).toHaveFocus()
  expect(name(1)).toHaveValue('x-team')
  leaveOut(1)
  expect(add).toHaveFocus()
})

test('an error of one header is not shown at the others', () => {
  const rows = ['x-team', 'Host'].map((name, id) => ({ id, name, value: 'a' }))
  const show = (error: string | undefined) => (
    <>
      <HeaderRows rows={rows} error={error} onChange={() => undefined} />
    </>
  )
  const { rerender } = render(show('Host: This header cannot be set.'))
  const wrong = () =>
    screen
      .getAllByRole('textbox', { name: /^Header/ })
      .map((field) => field.getAttribute('aria-invalid'))
  expect(wrong()).toEqual([null, 'true'])
  rerender(show('Give at most 20 headers.'))
  expect(wrong()).toEqual(['true', 'true'])
  rerender(show(undefined))
  expect(wrong()).toEqual([null, null])
})
