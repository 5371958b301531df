import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { NewPolicyCaseButton } from './policy-case-form'

test('the form picks nobody by itself, and offers keys with their owners', async () => {
  const named = (name: string) => ({ id: crypto.randomUUID(), name })
  showInPage(
    <NewPolicyCaseButton
      choices={{
        me: { id: crypto.randomUUID(), email: 'ada@example.org' },
        configurations: [named('Support')],
        groups: [named('Desk')],
        apiKeys: [named('CI (tg_ab, ada@example.org)')],
      }}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add policy case' }))
  const person = await screen.findByLabelText('Person')
  expect(person).toHaveTextContent('None')
  expect(screen.getByLabelText('Configuration')).toHaveTextContent('None')
  fireEvent.click(screen.getByLabelText('API key'))
  expect(await screen.findByRole('option', { name: /CI \(tg_ab/ })).toBeVisible()
})
