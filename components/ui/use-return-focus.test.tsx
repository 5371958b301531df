import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Circle } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { Dialog } from './dialog'
import { MenuButton } from './menu-button'
import { Sheet } from './sheet'

type Shown = 'question' | 'answer' | 'sheet' | null

/** Shows a dialog that is replaced by another one, a sheet, and a button that disappears when it is pressed. */
function Page() {
  const [shown, setShown] = useState<Shown>(null)
  const [gone, setGone] = useState(false)
  const close = () => setShown(null)
  const go = (label: string, next: Shown) => (
    <button type="button" onClick={() => setShown(next)}>
      {label}
    </button>
  )
  return (
    <Frame>
      {go('Ask', 'question')}
      {go('Open', 'sheet')}
      {!gone && go('Remove', 'question')}
      <MenuButton
        entries={[
          { label: 'Ask from here', icon: Circle, onSelect: () => setShown('question') },
          { label: 'Do nothing', icon: Circle, onSelect: () => {} },
        ]}
      >
        <button type="button">More</button>
      </MenuButton>
      {shown === 'question' && (
        <Dialog open title="Question" onOpenChange={close}>
          {go('Next', 'answer')}
          <button type="button" onClick={() => setGone(true)}>
            Take away
          </button>
        </Dialog>
      )}
      {shown === 'answer' && (
        <Dialog open title="Answer" onOpenChange={close}>
          <button type="button">Copy</button>
        </Dialog>
      )}
      <Sheet open={shown === 'sheet'} title="Panel" onOpenChange={close}>
        {go('Ask in here', 'question')}
      </Sheet>
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1}>
      {children}
    </main>
  )
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const button = (name: string) => screen.getByRole('button', { name })

it.each(['Ask', 'Open'])('gives the focus back to what opened it: %s', async (name) => {
  render(<Page />)
  await press(name)
  expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button(name)).toHaveFocus())
})

it('gives it back to the trigger of the menu that it was opened from', async () => {
  render(<Page />)
  button('More').focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ask from here' }))
  expect(await screen.findByRole('dialog')).toContainElement(document.activeElement as HTMLElement)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button('More')).toHaveFocus())
})

it('gives it back to what opened the first of several, one after the other', async () => {
  render(<Page />)
  await press('Open')
  await press('Ask in here')
  await press('Next')
  expect(screen.getByRole('dialog', { name: 'Answer' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button('Open')).toHaveFocus())
})

it('gives it to the content of the page where the opener is gone', async () => {
  render(<Page />)
  await press('Remove')
  await press('Take away')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
})
