import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { TooltipProvider } from '@/components/ui/tooltip'
import type { ActionResult } from '@/lib/kernel/action'
import { FormDialog } from './form-dialog'

function show(answer: ActionResult<number> = { ok: true, value: 7 }) {
  const send = vi.fn(async (_name: string) => answer)
  const [onDone, onClose] = [vi.fn(), vi.fn()]
  render(
    <TooltipProvider>
      <FormDialog
        title="Add group"
        button="Add group"
        failed="The group was not saved"
        send={(text) => send(text('name'))}
        onDone={onDone}
        onClose={onClose}
      >
        {(wrong, id) => (
          <Field id={`${id}-name`} label="Name" error={wrong.name}>
            {(control) => <Input {...control} name="name" />}
          </Field>
        )}
      </FormDialog>
    </TooltipProvider>,
  )
  return { send, onDone, onClose }
}
const field = () => screen.getByRole('textbox', { name: 'Name' })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const tabCloses = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))

it('sends what the fields hold, and is saved then', async () => {
  const { send, onDone } = show()
  await userEvent.type(field(), 'Editors')
  expect(tabCloses()).toBe(false)
  await press('Add group')
  expect(send).toHaveBeenCalledWith('Editors')
  await waitFor(() => expect(onDone.mock.lastCall?.[0]).toBe(7))
  await waitFor(() => expect(tabCloses()).toBe(true))
})

it('keeps what was typed when it is refused, and goes to the field that is wrong', async () => {
  const fields = { name: 'A group has this name already.' }
  const { onDone } = show({ ok: false, error: { code: 'invalid-input', message: '', fields } })
  await userEvent.type(field(), 'Editors')
  await press('Add group')
  expect(field()).toHaveFocus()
  expect(field()).toHaveValue('Editors')
  expect(field()).toHaveAccessibleDescription(fields.name)
  expect(onDone).not.toHaveBeenCalled()
})

it('says what no field is to blame for', async () => {
  show({ ok: false, error: { code: 'conflict', message: 'There are too many.' } })
  await press('Add group')
  expect(screen.getByRole('alert')).toHaveTextContent('The group was not savedThere are too many.')
})

it('asks before it closes over what was typed, and only then', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const { onClose } = show()
  await press('Cancel')
  expect([onClose.mock.calls.length, answer.mock.calls.length]).toEqual([1, 0])
  await userEvent.type(field(), 'E')
  await press('Cancel')
  expect([onClose.mock.calls.length, answer.mock.calls.length]).toEqual([1, 1])
  answer.mockReturnValue(true)
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
})
