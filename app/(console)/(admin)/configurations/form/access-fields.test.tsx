import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Form, SubmitButton } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { showInPage } from '@/tests/support/show-in-page'
import { ToolFields } from './access-fields'
import { type ConfigurationDraft, emptyDraft, toInput } from './configuration-draft'

const remote = Array.from({ length: 300 }, (_, index) => ({
  name: `tracker__tool_${index}`,
  group: 'mcp-tracker',
}))
const choices = {
  models: [],
  groups: [],
  tools: [
    { name: 'fetch_logs', group: 'system' },
    { name: 'get_env', group: 'system' },
    { name: 'list_users', group: 'accounts' },
    ...remote,
  ],
  toolGroups: [
    { name: 'accounts', tools: 1 },
    { name: 'mcp-tracker', tools: 300 },
    { name: 'system', tools: 2 },
  ],
}

let latest = emptyDraft

function Held({ start, refused }: { start: Partial<ConfigurationDraft>; refused: string }) {
  const form = useActionForm({
    values: { ...emptyDraft, ...start },
    send: async () => ({
      ok: false,
      error: { code: 'invalid-input', message: '', fields: { allowedTools: refused } },
    }),
  })
  latest = form.watch()
  return (
    <Form form={form}>
      <ToolFields choices={choices} />
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}

/** Returns what would be sent. */
function show(start: Partial<ConfigurationDraft>, refused = '') {
  showInPage(<Held start={start} refused={refused} />)
  return () => {
    const { allowedToolGroups, allowedTools } = toInput(latest)
    return { allowedToolGroups, allowedTools }
  }
}

const reach = () => screen.getByRole('combobox', { name: 'Allowed tool groups' })
const single = () => screen.getByRole('group', { name: 'Allowed single tools' })

async function add(search: string, name: string) {
  await userEvent.click(screen.getByRole('combobox', { name: 'Allowed single tools' }))
  await userEvent.type(screen.getByPlaceholderText('Search tools'), search)
  await userEvent.click(screen.getByRole('option', { name }))
}

test('single tools are found by typing, and the form says how many tools are allowed', async () => {
  const sent = show({ allowedToolGroups: [] })
  expect(screen.getByText('Nothing picked: runs get no tools.')).toBeVisible()
  expect(screen.getByText('0 of 303 tools allowed')).toBeVisible()
  await add('tracker 299', 'tracker__tool_299')
  await add('env', 'get_env')
  expect(screen.getByText('2 of 303 tools allowed')).toBeVisible()
  expect(sent()).toEqual({ allowedToolGroups: [], allowedTools: ['tracker__tool_299', 'get_env'] })
  await userEvent.click(screen.getByRole('checkbox', { name: /^system/ }))
  expect(screen.getByText('3 of 303 tools allowed')).toBeVisible()
  expect(within(single()).getByText('system, allowed')).toBeVisible()
})

test('a tool that was removed can be picked again, and one that is gone is said to be', async () => {
  const sent = show({ allowedToolGroups: ['accounts'], allowedTools: ['fetch_logs', 'was_here'] })
  expect(screen.getByText('2 of 303 tools allowed')).toBeVisible()
  expect(within(single()).getByText('Not installed')).toBeVisible()
  const gone = () => within(single()).getByRole('checkbox', { name: /^was_here/ })
  await userEvent.click(gone())
  expect(sent().allowedTools).toEqual(['fetch_logs'])
  await userEvent.click(gone())
  expect(sent().allowedTools).toEqual(['fetch_logs', 'was_here'])
})

test('with all groups there are no single tools, and what was picked comes back with the groups', async () => {
  const sent = show({ allowedToolGroups: [], allowedTools: ['get_env'] })
  await userEvent.click(reach())
  await userEvent.click(screen.getByRole('option', { name: /^All, including/ }))
  expect(sent()).toEqual({ allowedToolGroups: null, allowedTools: [] })
  expect(screen.queryByText(/tools allowed/)).toBeNull()
  await userEvent.click(reach())
  await userEvent.click(screen.getByRole('option', { name: /^Only these/ }))
  expect(sent().allowedTools).toEqual(['get_env'])
})

test('an error of the server stands beside its field, and nothing typed is lost', async () => {
  const refused = 'There is no tool "was_here".'
  const sent = show({ allowedToolGroups: [], allowedTools: ['was_here'] }, refused)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const field = screen.getByRole('combobox', { name: 'Allowed single tools' })
  expect(await screen.findByText(refused)).toBeVisible()
  expect(field).toBeInvalid()
  expect(field).toHaveAccessibleDescription(expect.stringContaining(refused))
  expect(sent().allowedTools).toEqual(['was_here'])
})
