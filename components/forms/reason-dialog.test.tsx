import { render, screen, within } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { type ReactNode, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/next/action'
import { ActWithReason } from './reason-dialog'
import { useAct } from './use-act'

type Answer = ActionResult<unknown>
const done: Answer = { ok: true, value: null }
const refused: Answer = { ok: false, error: { code: 'conflict', message: 'The last admin stays.' } }

function show(children: ReactNode) {
  const refresh = vi.fn()
  const router = { refresh } satisfies Partial<AppRouterInstance>
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <ToastProvider>{children}</ToastProvider>
    </AppRouterContext>,
  )
  return { refresh }
}

function Question({ send }: { send: (reason: string) => Promise<Answer> }) {
  const [open, setOpen] = useState(true)
  if (!open) return null
  return (
    <ActWithReason
      title="Disable Ana"
      failed="Ana was not disabled"
      done="Ana is disabled"
      send={send}
      onClose={() => setOpen(false)}
    >
      Sessions end at once.
    </ActWithReason>
  )
}

function Press({ send, undo }: { send: () => Promise<Answer>; undo: () => Promise<Answer> }) {
  const { act } = useAct()
  const words = { done: 'Ana is in', failed: 'Ana is not in', undo }
  return (
    <button type="button" onClick={() => act(send, words)}>
      Add Ana
    </button>
  )
}

it('begins at the reason, with a trial below it', () => {
  show(
    <ActWithReason
      title="Remove Ana"
      done="Removed Ana"
      send={async () => done}
      trial={<button type="button">Test</button>}
      onClose={() => {}}
    >
      Ana can no longer use it.
    </ActWithReason>,
  )
  const reason = screen.getByRole('textbox', { name: /Reason/ })
  expect(reason).toHaveFocus()
  const trial = screen.getByRole('button', { name: 'Test' })
  expect(reason.compareDocumentPosition(trial)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it('sends the reason, keeps what was typed when it is refused, and closes when it worked', async () => {
  const send = vi.fn<(reason: string) => Promise<Answer>>()
  send.mockResolvedValueOnce(refused).mockResolvedValueOnce(done)
  const { refresh } = show(<Question send={send} />)
  const dialog = within(screen.getByRole('dialog', { name: 'Disable Ana' }))
  expect(dialog.getByText('Sessions end at once.')).toBeVisible()
  const reason = dialog.getByRole('textbox', { name: /^Reason/ })
  await userEvent.type(reason, '  Left on Friday ')
  await userEvent.click(dialog.getByRole('button', { name: 'Disable Ana' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('The last admin stays.')
  expect(reason).toHaveValue('  Left on Friday ')
  expect(refresh).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('button', { name: 'Disable Ana' }))
  expect(await screen.findByText('Ana is disabled')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(send.mock.calls).toEqual([['Left on Friday'], ['Left on Friday']])
  expect(refresh).toHaveBeenCalledTimes(1)
})

it('offers to undo what a press did, and says when that did not work', async () => {
  const send = vi.fn(async () => done)
  const undo = vi.fn<() => Promise<Answer>>()
  undo.mockResolvedValueOnce(done).mockResolvedValueOnce(refused)
  const { refresh } = show(<Press send={send} undo={undo} />)
  // The toast is rendered a moment after it was added.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
  await user.click(screen.getByRole('button', { name: 'Add Ana' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeVisible()
  expect(refresh).toHaveBeenCalledTimes(2)
  await user.click(screen.getByRole('button', { name: 'Add Ana' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Not undone')).toBeVisible()
  expect(screen.getByText('The last admin stays.')).toBeVisible()
  expect(undo).toHaveBeenCalledTimes(2)
})

it('asks before a slip takes the reason that was typed', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  show(<Question send={async () => done} />)
  await userEvent.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Left')
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Left')
  answer.mockReturnValue(true)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})
