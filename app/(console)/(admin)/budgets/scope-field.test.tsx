import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Form, FormButtons } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { showInPage } from '@/tests/support/show-in-page'
import { ScopeField } from './new-budget'

const named = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `id-${at}`, name: `Thing ${at}` }))
const names = { groups: named(200), configurations: named(2), keys: named(3) }

function Budget({ scope }: { scope: 'user' | 'group' | 'configuration' | 'key' }) {
  const fields = { scopeId: 'Pick a person.' }
  const form = useActionForm({
    values: { scopeId: null },
    send: async () => ({ ok: false, error: { code: 'invalid-input', message: 'Check.', fields } }),
  })
  return (
    <Form form={form}>
      <ScopeField key={scope} scope={scope} names={names} />
      <FormButtons button="Add" failed="The budget was not added" />
    </Form>
  )
}

test('says beside the choice of a person that there must be one', async () => {
  showInPage(<Budget scope="user" />)
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  const button = screen.getByLabelText('Person')
  expect(button).toBeInvalid()
  expect(button).toHaveFocus()
  expect(button).toHaveAccessibleDescription('Pick a person.')
})

test('one of hundreds is found by typing, one of a few is picked from a list', () => {
  const { rerender } = showInPage(<Budget scope="group" />)
  expect(screen.getByLabelText('Group')).toHaveAttribute('aria-haspopup', 'dialog')
  rerender(<Budget scope="configuration" />)
  expect(screen.getByLabelText('Configuration')).not.toHaveAttribute('aria-haspopup', 'dialog')
  rerender(<Budget scope="key" />)
  expect(screen.getByLabelText('API key')).not.toHaveAttribute('aria-haspopup', 'dialog')
})
