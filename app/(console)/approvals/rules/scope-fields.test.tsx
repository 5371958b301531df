import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { emptyDraft } from './rule-draft'
import { ScopeFields } from './scope-fields'

test('a rule about a configuration that is off keeps it and says that it is off', () => {
  const configurations = [
    { id: 'c1', name: 'Daily', off: false },
    { id: 'c2', name: 'Nightly', off: true },
  ]
  render(
    <ScopeFields
      draft={{ ...emptyDraft, configurationId: 'c2' }}
      errors={{}}
      choices={{ tools: [], configurations }}
      onChange={() => undefined}
    />,
  )
  const field = screen.getByRole('combobox', { name: 'Configuration' })
  expect(field).toHaveTextContent('Nightly (off)')
})
