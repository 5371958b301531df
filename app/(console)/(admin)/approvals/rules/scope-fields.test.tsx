import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { emptyDraft, toRuleInput } from './rule-draft'
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

test('a tool that does not exist yet is typed after that was confirmed, and marked', async () => {
  const sent: unknown[] = []
  function Form() {
    const [draft, setDraft] = useState({ ...emptyDraft, name: 'Writes' })
    sent.push(toRuleInput(draft))
    return (
      <ScopeFields
        draft={draft}
        errors={{}}
        choices={{
          tools: [{ name: 'fetch_logs', group: 'system', paths: [] }],
          configurations: [],
        }}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
    )
  }
  render(<Form />)
  expect(screen.getByRole('combobox', { name: 'Tool' })).toHaveTextContent('Any tool')
  await userEvent.click(screen.getByLabelText('The tool or group does not exist yet'))
  await userEvent.type(screen.getByRole('textbox', { name: 'Tool' }), 'write_file')
  expect(screen.getByRole('status')).toHaveTextContent('Tool does not exist')
  expect(sent.at(-1)).toMatchObject({ toolName: 'write_file', toolGroup: null, notYet: true })
  const tool = screen.getByRole('textbox', { name: 'Tool' })
  await userEvent.clear(tool)
  await userEvent.type(tool, 'fetch_logs')
  expect(screen.queryByRole('status')).toBeNull()
})
