import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import type { ActionResult } from '@/lib/next/action'
import type { FieldShape } from '@/lib/shape/field-shape'
import { inPage, showInPage } from '@/tests/support/show-in-page'
import { ChangedMeanwhile } from './changed-meanwhile'
import { Form, FormButtons, FormDialog } from './form'
import { FormField, FormFields } from './form-field'
import { useActionForm, useFilledFrom } from './use-action-form'

afterEach(() => vi.restoreAllMocks())

const fields = {
  name: { kind: 'text', label: 'Name', hint: 'Shown to people.' },
  amount: { kind: 'money', label: 'Limit' },
  scope: {
    kind: 'select',
    label: 'For',
    choices: [
      { value: null, label: 'Anyone' },
      { value: 'group', label: 'A group' },
    ],
  },
  open: { kind: 'checkbox', label: 'It is open' },
  days: {
    kind: 'checkboxes',
    label: 'Days',
    choices: [
      { value: 'mon', label: 'Monday' },
      { value: 'tue', label: 'Tuesday' },
    ],
  },
} as const satisfies Record<string, FieldShape>

type Values = {
  name: string
  amount: string
  scope: string | null
  open: boolean
  days: string[]
}
const values: Values = { name: 'Editors', amount: '', scope: null, open: false, days: ['tue'] }
type Answer = ActionResult<number>
const ok: Answer = { ok: true, value: 7 }
const refused = (wrong: Record<string, string>): Answer => ({
  ok: false,
  error: { code: 'invalid-input', message: 'Check it.', fields: wrong },
})

type Options = Partial<Parameters<typeof useActionForm<Values, number>>[0]>

function Page({ send, ...more }: { send: (values: Values) => Promise<Answer> } & Options) {
  const form = useActionForm<Values, number>({ values, send, ...more })
  return (
    <Form form={form} label="Group">
      <FormFields fields={fields} />
      <FormButtons button="Save" failed="The group was not saved" cancel="/groups" />
    </Form>
  )
}

const show = (answer: Answer = ok, more: Options = {}) => {
  const send = vi.fn(async (_sent: Values) => answer)
  return { send, ...showInPage(<Page send={send} {...more} />) }
}
const text = (name: string) => screen.getByRole('textbox', { name })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const tabCloses = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))

it('sends what the fields hold, each as the value it stands for', async () => {
  const { send, router } = show(ok, { done: 'Saved the group' })
  await userEvent.type(text('Limit'), '12.50')
  await userEvent.click(screen.getByRole('checkbox', { name: 'It is open' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Monday' }))
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'For' }), { key: 'Enter' })
  fireEvent.keyDown(await screen.findByRole('option', { name: 'A group' }), { key: 'Enter' })
  expect(tabCloses()).toBe(false)
  await press('Save')
  expect(send).toHaveBeenCalledWith({
    name: 'Editors',
    amount: '12.50',
    scope: 'group',
    open: true,
    days: ['mon', 'tue'],
  })
  expect(await screen.findByText('Saved the group')).toBeVisible()
  expect(router.refresh).toHaveBeenCalledTimes(1)
  expect(tabCloses()).toBe(true)
})

it('keeps what was typed when it is refused, and goes to the first field that is wrong', async () => {
  show(refused({ amount: 'Give a limit.', name: 'A group has this name already.' }))
  await userEvent.type(text('Name'), ' 2')
  await press('Save')
  expect(text('Name')).toHaveFocus()
  expect(text('Name')).toHaveValue('Editors 2')
  expect(text('Name')).toHaveAccessibleDescription(
    'Shown to people. A group has this name already.',
  )
  await userEvent.type(text('Name'), '3')
  expect(text('Name')).toBeValid()
  expect(text('Limit')).toHaveAccessibleDescription('Give a limit.')
})

it('is sent again after an error, whatever field the server named', async () => {
  const { send } = show(refused({ somewhere: 'This is not asked for here.' }))
  await press('Save')
  expect(await screen.findByRole('alert')).toHaveTextContent('This is not asked for here.')
  await press('Save')
  expect(send).toHaveBeenCalledTimes(2)
})

it('shows an error that belongs to no field', async () => {
  show({ ok: false, error: { code: 'conflict', message: 'There are too many.' } })
  await press('Save')
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The group was not savedThere are too many.',
  )
})

it('sends nothing while a required field is empty', async () => {
  const send = vi.fn(async () => ok)
  const required: FieldShape = { kind: 'text', label: 'Why', required: 'Say why.' }
  function Question() {
    const form = useActionForm({ values: { why: ' ' }, send })
    return (
      <Form form={form}>
        <FormField name="why" shape={required} />
        <FormButtons button="Save" failed="Not saved" />
      </Form>
    )
  }
  showInPage(<Question />)
  await press('Save')
  expect(text('Why')).toHaveFocus()
  expect(text('Why')).toHaveAccessibleDescription('Say why.')
  expect(send).not.toHaveBeenCalled()
  await userEvent.type(text('Why'), 'needed')
  await press('Save')
  expect(send).toHaveBeenCalledTimes(1)
})

it('stays busy until the next page opens, without a question', async () => {
  const { send, router } = show(ok, { next: (id) => `/groups/${id}` })
  await userEvent.type(text('Name'), ' 2')
  await press('Save')
  await waitFor(() => expect(router.push).toHaveBeenCalledWith('/groups/7'))
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true')
  expect(tabCloses()).toBe(true)
  fireEvent.submit(screen.getByRole('form', { name: 'Group' }))
  await act(async () => {})
  expect(send).toHaveBeenCalledTimes(1)
})

it('keeps what was typed after it was sent, and empties what is for one save only', async () => {
  const answers: ((answer: Answer) => void)[] = []
  const send = () =>
    new Promise<Answer>((resolve) => {
      answers.push(resolve)
    })
  showInPage(<Page send={send} saved={(sent) => ({ ...sent, amount: '' })} />)
  await userEvent.type(text('Limit'), '5')
  await press('Save')
  await userEvent.type(text('Name'), ' 2')
  await act(async () => answers[0]?.(ok))
  expect([text('Name'), text('Limit')].map((each) => (each as HTMLInputElement).value)).toEqual([
    'Editors 2',
    '',
  ])
  expect(tabCloses()).toBe(false)
})

it('names a field that the form does not hold', () => {
  vi.spyOn(console, 'error').mockReturnValue()
  function Wrong() {
    const form = useActionForm({ values: { name: '' }, send: async () => ok })
    return (
      <Form form={form}>
        <FormField name="nmae" shape={fields.name} />
      </Form>
    )
  }
  expect(() => showInPage(<Wrong />)).toThrow('The form has no field nmae.')
})

it('takes what was typed before React was ready', async () => {
  function Early() {
    const form = useActionForm({ values: { name: 'Ana' }, send: async () => ok })
    return (
      <Form form={form}>
        <FormField name="name" shape={fields.name} />
        {form.unsaved ? 'unsaved' : 'saved'}
      </Form>
    )
  }
  const html = renderToString(inPage(<Early />))
  const root = document.body.appendChild(document.createElement('div'))
  root.innerHTML = html
  const input = root.querySelector('input')
  if (input) input.value = 'Ana B.'
  const page = await act(async () => hydrateRoot(root, inPage(<Early />)))
  expect(root.querySelector('input')).toHaveValue('Ana B.')
  expect(root).toHaveTextContent('unsaved')
  act(() => page.unmount())
  root.remove()
})

function Dialogue({ send, onClose }: { send: () => Promise<Answer>; onClose: () => void }) {
  const form = useActionForm({ values: { name: '' }, send })
  return (
    <FormDialog form={form} title="Add group" button="Add" failed="Not added" onClose={onClose}>
      <FormField name="name" shape={fields.name} />
    </FormDialog>
  )
}

it('asks before a dialog closes over what was typed, and only then', async () => {
  const answer = vi.spyOn(window, 'confirm').mockReturnValue(false)
  const onClose = vi.fn()
  showInPage(<Dialogue send={async () => ok} onClose={onClose} />)
  await press('Cancel')
  expect([onClose.mock.calls.length, answer.mock.calls.length]).toEqual([1, 0])
  await userEvent.type(text('Name'), 'E')
  await press('Cancel')
  expect([onClose.mock.calls.length, answer.mock.calls.length]).toEqual([1, 1])
  answer.mockReturnValue(true)
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
})

type Row = { version: number; name: string }

function Edited({ stored }: { stored: Row }) {
  const form = useActionForm({ values: { name: stored.name }, send: async () => ok })
  const { base, conflict } = useFilledFrom(form, {
    stored,
    versionOf: ({ version }) => version,
    valuesOf: ({ name }) => ({ name }),
  })
  return (
    <Form form={form}>
      <FormField name="name" shape={fields.name} />
      <output>{base.version}</output>
      {conflict && <ChangedMeanwhile title="Saved by Ana." take="Load theirs" {...conflict} />}
    </Form>
  )
}

it('is filled again when the row changed, and asks where something was typed', async () => {
  const { rerender } = showInPage(<Edited stored={{ version: 1, name: 'Editors' }} />)
  rerender(<Edited stored={{ version: 2, name: 'Authors' }} />)
  expect(text('Name')).toHaveValue('Authors')
  expect(screen.getByRole('status')).toHaveTextContent('2')
  await userEvent.type(text('Name'), '!')
  rerender(<Edited stored={{ version: 3, name: 'Writers' }} />)
  expect(text('Name')).toHaveValue('Authors!')
  await press('Keep mine')
  expect(text('Name')).toHaveValue('Authors!')
  expect(text('Name')).toHaveFocus()
  expect(screen.getByRole('status')).toHaveTextContent('3')
  expect(screen.queryByRole('button', { name: 'Keep mine' })).toBeNull()
  rerender(<Edited stored={{ version: 4, name: 'Poets' }} />)
  await press('Load theirs')
  expect(text('Name')).toHaveValue('Poets')
  expect(tabCloses()).toBe(true)
})
