import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { useTyped } from './use-typed'

/** Shows a field that has the keys although something else was opened, whose own field comes late. */
function Late() {
  const [open, setOpen] = useState(false)
  const [taken, setTaken] = useState('nothing yet')
  const takeTyped = useTyped(open)
  return (
    <>
      <input aria-label="Name" />
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <button type="button" onClick={() => setTaken(takeTyped())}>
        Take
      </button>
      <p>{taken}</p>
    </>
  )
}

it('keeps what is typed after something was opened until it is taken, and away from other fields', async () => {
  render(<Late />)
  const field = screen.getByRole('textbox', { name: 'Name' })
  await userEvent.type(field, 'Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  field.focus()
  await userEvent.keyboard('crx{Backspace}ane{Control>}a{/Control}')
  expect(field).toHaveValue('Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Take' }))
  expect(screen.getByText('crane')).toBeVisible()
  await userEvent.type(field, '!')
  expect(field).toHaveValue('Ada!')
  await userEvent.click(screen.getByRole('button', { name: 'Take' }))
  expect(screen.queryByText('crane')).toBeNull()
})
