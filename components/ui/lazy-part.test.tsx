import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { lazyPart } from './lazy-part'
import { ToastProvider } from './toast'

const Greeting = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <button type="button" onClick={onClose}>
    Hello {name}
  </button>
)

function opener(load: () => Promise<typeof Greeting>) {
  const Part = lazyPart(load)
  return function Opener() {
    const [open, setOpen] = useState(false)
    return (
      <ToastProvider>
        <button type="button" onClick={() => setOpen(true)} {...Part.soon}>
          Open
        </button>
        {open && <Part name="Ana" onClose={() => setOpen(false)} />}
      </ToastProvider>
    )
  }
}

test('it is loaded when somebody is about to open it, once shown it keeps its place', async () => {
  const load = vi.fn(async () => Greeting)
  const Opener = opener(load)
  const { unmount } = render(<Opener />)
  expect(load).not.toHaveBeenCalled()
  await userEvent.hover(screen.getByRole('button', { name: 'Open' }))
  expect(load).toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(screen.getByText('Hello Ana')).toBeVisible()
  unmount()
})

test('a failure is said, closes it, and does not last', async () => {
  const load = vi.fn(async () => Greeting)
  load.mockRejectedValue(new TypeError('offline'))
  const Opener = opener(load)
  render(<Opener />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('This could not be opened')).toBeVisible()
  expect(screen.queryByText('Hello Ana')).toBe(null)
  load.mockResolvedValue(Greeting)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('Hello Ana')).toBeVisible()
})
