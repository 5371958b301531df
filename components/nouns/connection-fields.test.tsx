import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Form, SubmitButton } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { showInPage } from '@/tests/support/show-in-page'
import { emptyDraft } from './connection-draft'
import { LimitFields } from './connection-fields'

function Limits() {
  const fields = { maxTries: 'From 1 to 5.' }
  const form = useActionForm({
    values: emptyDraft,
    send: async () => ({ ok: false, error: { code: 'invalid-input', message: '', fields } }),
  })
  return (
    <Form form={form}>
      <LimitFields draft={emptyDraft} />
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}

test('an error opens the section, and correcting it does not close it', async () => {
  showInPage(<Limits />)
  const tries = screen.getByRole('textbox', { name: 'Maximum tries', hidden: true })
  expect(tries).not.toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(tries).toBeVisible()
  expect(tries).toHaveFocus()
  fireEvent.change(tries, { target: { value: '4' } })
  expect(screen.queryByText('From 1 to 5.')).toBeNull()
  expect(tries).toBeVisible()
})
