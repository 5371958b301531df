import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { Form, SubmitButton } from './form'
import { PasswordField } from './password-field'
import { useActionForm } from './use-action-form'

function NewPassword() {
  const fields = { password: 'This password is too easy to guess.' }
  const form = useActionForm({
    values: { password: '' },
    send: async () => ({ ok: false, error: { code: 'invalid-input', message: '', fields } }),
  })
  return (
    <section id="password">
      <Form form={form}>
        <PasswordField label="New password" />
        <SubmitButton>Set password</SubmitButton>
      </Form>
    </section>
  )
}

it('is found by its label, also on a page with a section of the same name', async () => {
  showInPage(<NewPassword />)
  const field = screen.getByLabelText('New password')
  expect(field).toHaveAttribute('type', 'password')
  await userEvent.type(field, 'password1234')
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
  expect(field).toHaveAccessibleDescription(/too easy to guess/)
  await userEvent.click(screen.getByRole('button', { name: /^Show/ }))
  expect(field).not.toHaveAttribute('type', 'password')
  expect(field).toHaveValue('password1234')
})
