import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Circle } from 'lucide-react'
import { expect, it, vi } from 'vitest'
import { MenuButton } from './menu-button'

const [rename, remove] = [vi.fn(), vi.fn()]

function showMenu() {
  render(
    <>
      <MenuButton
        entries={[
          { label: 'Locked', icon: Circle, onSelect: vi.fn(), disabled: true },
          { label: 'Rename', icon: Circle, onSelect: rename },
          null,
          false,
          { label: 'Remove', icon: Circle, onSelect: remove, isChecked: true },
        ]}
      >
        <button type="button">More</button>
      </MenuButton>
      <input aria-label="Elsewhere" />
    </>,
  )
  return screen.getByRole('button', { name: 'More' })
}

it('opens at the first click, says so, and gives the focus back', async () => {
  const button = showMenu()
  await userEvent.click(button)
  expect(button).toHaveAttribute('aria-expanded', 'true')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  expect(rename).toHaveBeenCalledOnce()
  await waitFor(() => expect(button).toHaveFocus())
  expect(screen.queryByRole('menu')).toBeNull()
  expect(button).toHaveAttribute('aria-expanded', 'false')
})

it.each(['{Enter}', ' ', '{ArrowDown}'])('works by keyboard alone: %s', async (key) => {
  const button = showMenu()
  button.focus()
  await userEvent.keyboard(key)
  const first = await screen.findByRole('menuitem', { name: 'Rename' })
  await waitFor(() => expect(first).toHaveFocus())
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('menuitemradio', { name: 'Remove', checked: true })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
  await userEvent.keyboard(key)
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Rename' })).toHaveFocus())
})

it('leaves the focus where somebody clicked', async () => {
  await userEvent.click(showMenu())
  await screen.findByRole('menu')
  await userEvent.click(screen.getByRole('textbox'))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(screen.getByRole('textbox')).toHaveFocus()
})

it('closes when its button is pressed again', async () => {
  const button = showMenu()
  await userEvent.click(button)
  await screen.findByRole('menu')
  await userEvent.click(button)
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
})
