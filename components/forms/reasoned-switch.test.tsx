import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { ReasonedSwitch } from './reasoned-switch'

function show(props: Partial<ComponentProps<typeof ReasonedSwitch>>) {
  const send = vi.fn(async () => ({ ok: true, value: null }) as const)
  showInPage(
    <ReasonedSwitch id="d1" name="Desk" enabled send={send} {...props}>
      {props.children === undefined ? 'Nobody can use it.' : props.children}
    </ReasonedSwitch>,
  )
  return { send, flip: () => userEvent.click(screen.getByRole('switch', { name: 'Desk' })) }
}

const input = (enabled: boolean, reason = '') => ({ id: 'd1', enabled, reason })
/** Presses Undo once a dialog that closes lets it be pressed. */
async function undo(): Promise<void> {
  await waitFor(() => expect(document.body).not.toHaveStyle({ pointerEvents: 'none' }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
}

test('switching off an object in use shows the consequence, takes a reason, and can be undone', async () => {
  const { send, flip } = show({ required: 'Say why.' })
  expect(screen.getByText('On')).toBeVisible()
  await flip()
  expect(await screen.findByRole('dialog')).toHaveAccessibleDescription('Nobody can use it.')
  expect(send).not.toHaveBeenCalled()
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'Too dear')
  await userEvent.click(screen.getByRole('button', { name: 'Switch off Desk' }))
  expect(await screen.findByText('Switched off Desk')).toBeVisible()
  expect(send).toHaveBeenLastCalledWith(input(false, 'Too dear'))
  await undo()
  await waitFor(() => expect(send).toHaveBeenLastCalledWith(input(true)))
})

test('an unused object is switched off at once, and that can be undone', async () => {
  const { send, flip } = show({ children: null })
  await flip()
  expect(await screen.findByText('Switched off Desk')).toBeVisible()
  expect(send).toHaveBeenLastCalledWith(input(false))
  await undo()
  await waitFor(() => expect(send).toHaveBeenLastCalledWith(input(true)))
})

test('the way back that needs a reason is not offered as Undo', async () => {
  const { send, flip } = show({ enabled: false, required: 'Say why.' })
  expect(screen.getByText('Off')).toBeVisible()
  await flip()
  expect(await screen.findByText('Switched on Desk')).toBeVisible()
  expect(send).toHaveBeenLastCalledWith(input(true))
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('switching on an object that gives others more asks first', async () => {
  const { send, flip } = show({ enabled: false, asks: 'on' })
  await flip()
  await userEvent.click(await screen.findByRole('button', { name: 'Switch on Desk' }))
  expect(await screen.findByText('Switched on Desk')).toBeVisible()
  expect(send).toHaveBeenLastCalledWith(input(true))
  await undo()
  await waitFor(() => expect(send).toHaveBeenLastCalledWith(input(false)))
})
