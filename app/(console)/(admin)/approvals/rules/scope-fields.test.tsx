import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Form } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { showInPage } from '@/tests/support/show-in-page'
import { ConditionFields } from './condition-fields'
import type { RuleChoices } from './read-choices'
import { emptyDraft, type RuleDraft, ruleFieldOf, toRuleInput } from './rule-draft'
import { RunFields } from './run-fields'
import { ScopeFields } from './scope-fields'

const nothing: RuleChoices = {
  tools: [],
  servers: [],
  configurations: [],
  groups: [],
  apiKeys: [],
  person: null,
}
const sent: unknown[] = []
const refused: { show: (fields: Record<string, string>) => void } = { show: () => {} }

function Rule({ draft, choices }: { draft: RuleDraft; choices: RuleChoices }) {
  const form = useActionForm({
    values: draft,
    send: async () => ({ ok: true, value: null }),
    fieldOf: ruleFieldOf,
  })
  const now = form.watch()
  sent.push(toRuleInput(now))
  refused.show = (fields) => form.refuse({ code: 'invalid-input', message: '', fields })
  return (
    <Form form={form}>
      <ScopeFields draft={now} choices={choices} />
      <RunFields choices={choices} />
      <ConditionFields draft={now} choices={choices} />
    </Form>
  )
}

test('a rule about a configuration that is off keeps it and says that it is off', () => {
  const configurations = [
    { id: 'c1', name: 'Daily', off: false },
    { id: 'c2', name: 'Nightly', off: true },
  ]
  const draft = { ...emptyDraft, configurationId: 'c2' }
  showInPage(<Rule draft={draft} choices={{ ...nothing, configurations }} />)
  const field = screen.getByRole('combobox', { name: 'Configuration' })
  expect(field).toHaveTextContent('Nightly (off)')
})

test('a tool that does not exist yet is typed after that was confirmed, and marked', async () => {
  const tools = [{ name: 'fetch_logs', group: 'system', paths: [] }]
  showInPage(<Rule draft={{ ...emptyDraft, name: 'Writes' }} choices={{ ...nothing, tools }} />)
  expect(screen.getByRole('combobox', { name: 'Tool' })).toHaveTextContent('Any tool')
  await userEvent.click(screen.getByLabelText('The tool, group or server does not exist yet'))
  await userEvent.type(screen.getByRole('textbox', { name: 'Tool' }), 'write_file')
  expect(screen.getByRole('status')).toHaveTextContent('Tool does not exist')
  expect(sent.at(-1)).toMatchObject({ toolName: 'write_file', toolGroup: null, notYet: true })
  const tool = screen.getByRole('textbox', { name: 'Tool' })
  await userEvent.clear(tool)
  await userEvent.type(tool, 'fetch_logs')
  expect(screen.queryByRole('status')).toBeNull()
})

test('a rule is about an MCP server, a person, a group of people and an API key', async () => {
  const keys = [{ id: 'k1', name: 'CI', prefix: 'tg_abc123', owner: 'ada@example.org' }]
  const choices: RuleChoices = {
    ...nothing,
    servers: ['files'],
    groups: [{ id: 'g1', name: 'Support' }],
    apiKeys: keys,
    person: 'ada@example.org',
  }
  const own = { serverName: 'files', userId: 'u1', groupId: 'g1', apiKeyId: 'k1' }
  showInPage(<Rule draft={{ ...emptyDraft, ...own }} choices={choices} />)
  const shown = (name: string) => screen.getByRole('combobox', { name })
  expect(shown('MCP server')).toHaveTextContent('files')
  expect(shown('Group of people')).toHaveTextContent('Support')
  expect(shown('API key')).toHaveTextContent('CI (tg_abc123, ada@example.org)')
  expect(sent.at(-1)).toMatchObject(own)
  await userEvent.click(screen.getByRole('button', { name: 'Person: ada@example.org' }))
  await userEvent.click(screen.getByRole('button', { name: 'Any person' }))
  expect(sent.at(-1)).toMatchObject({ ...own, userId: null })
})

test('conditions are added, changed and removed, each with what is wrong with it', async () => {
  showInPage(<Rule draft={emptyDraft} choices={nothing} />)
  const add = screen.getByRole('button', { name: 'Add condition' })
  const paths = () => screen.getAllByRole<HTMLInputElement>('combobox', { name: 'Path' })
  await userEvent.click(add)
  await userEvent.type(paths()[0] as HTMLElement, 'path')
  await userEvent.click(add)
  expect(paths()[1]).toHaveFocus()
  await userEvent.type(paths()[1] as HTMLElement, 'amount')
  act(() => refused.show({ 'rule.conditions.1.path': 'There is no such argument.', rule: 'No.' }))
  await waitFor(() => expect(paths()[1]).toHaveFocus())
  expect(paths()[1]).toHaveAccessibleDescription('There is no such argument.')
  expect(paths()[0]).toBeValid()
  await userEvent.click(screen.getByRole('button', { name: 'Remove condition 1' }))
  expect(paths().map(({ value }) => value)).toEqual(['$.amount'])
  expect(paths()[0]).toHaveFocus()
  expect(paths()[0]).toBeValid()
  expect(sent.at(-1)).toMatchObject({
    conditions: [{ path: '$.amount', operator: 'equals', value: '', loose: true }],
  })
  await userEvent.click(screen.getByRole('checkbox', { name: /Ignore case/ }))
  expect(sent.at(-1)).toMatchObject({ conditions: [{ operator: 'equals', loose: false }] })
  await userEvent.click(screen.getByRole('combobox', { name: 'Comparison' }))
  await userEvent.click(screen.getByRole('option', { name: 'is at least' }))
  expect(screen.queryByRole('checkbox', { name: /Ignore case/ })).toBeNull()
})

test('four eyes are asked for where a person decides, and left out of what is sent otherwise', async () => {
  const draft = { ...emptyDraft, name: 'Writes' }
  showInPage(<Rule draft={draft} choices={nothing} />)
  await userEvent.click(screen.getByLabelText(/four eyes/))
  expect(sent.at(-1)).toMatchObject({ action: 'ask', fourEyes: true })
  await userEvent.click(screen.getByRole('combobox', { name: 'A call that matches' }))
  await userEvent.click(screen.getByRole('option', { name: /is refused/ }))
  expect(screen.queryByLabelText(/four eyes/)).toBeNull()
  expect(sent.at(-1)).toMatchObject({ action: 'deny', fourEyes: false })
})
