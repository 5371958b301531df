import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Tooltip } from './tooltip'

// Starts at a field, where jsdom matches :focus-visible whatever the tests before focused.
it('is shown on keyboard focus', async () => {
  render(
    <>
      <input aria-label="Name" />
      <Tooltip content="What it does">
        <button type="button">Do</button>
      </Tooltip>
    </>,
  )
  await userEvent.tab()
  await userEvent.tab()
  expect(screen.getByRole('button')).toHaveFocus()
  expect(await screen.findByRole('tooltip')).toHaveTextContent('What it does')
})

function Two() {
  return ['Save', 'Stop'].map((label) => (
    <Tooltip key={label} content={`${label} this run`}>
      <button type="button">{label}</button>
    </Tooltip>
  ))
}
const button = (name: string) => screen.getByRole('button', { name })

it('describes its element while the pointer is there, one element at a time', async () => {
  render(<Two />)
  await userEvent.hover(button('Save'))
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Save this run')
  expect(button('Save')).toHaveAccessibleDescription('Save this run')
  await userEvent.hover(button('Stop'))
  await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent('Stop this run'))
  expect(button('Save')).not.toHaveAccessibleDescription()
  await userEvent.unhover(button('Stop'))
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
})

it('stays while the pointer rests on its words, and Escape hides it', async () => {
  render(<Two />)
  await userEvent.hover(button('Save'))
  await userEvent.hover(await screen.findByRole('tooltip'))
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(screen.getByRole('tooltip')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
})

it('is not shown for a button that was pressed before it came', async () => {
  render(<Two />)
  await userEvent.click(button('Save'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(screen.queryByRole('tooltip')).toBeNull()
})
