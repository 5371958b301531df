import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { CheckDetail } from '@toolgate/server/domains/checks/schemas'
import { beforeEach, expect, test, vi } from 'vitest'
import { saveCheck } from '@/app/(console)/checks/actions'
import { showInPage } from '@/tests/support/show-in-page'
import { EditCheckForm } from './edit-check-form'

vi.mock('@/app/(console)/checks/actions', () => ({ saveCheck: vi.fn() }))

beforeEach(() => {
  vi.mocked(saveCheck).mockReset()
  vi.mocked(saveCheck).mockResolvedValue({ ok: true, value: { version: 2 } } as never)
})

const check: CheckDetail = {
  id: 'c1',
  name: 'Logs',
  description: '',
  configuration: { id: 'm1', name: 'Local' },
  assertionCount: 1,
  assertions: [{ type: 'tool-called', tool: 'fetch_logs', atLeast: 1 }],
  tries: 1,
  passes: 1,
  groups: [],
  suites: [],
  mayEdit: true,
  createdByLabel: 'ada@example.org',
  version: 4,
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
  runId: 'run',
  prompt: 'What broke?',
  files: [],
  tools: null,
  maxRounds: null,
  overrides: null,
  outputSchema: null,
  costCap: null,
  task: null,
  sources: {},
  recordings: [{ tool: 'fetch_logs', argumentsText: '{}', outcome: 'ok', characters: 4 }],
  leftOut: [],
}

async function saveAfter(change: Partial<CheckDetail>, edit: () => Promise<void>) {
  const configurations = [{ id: 'm2', identifier: 'second', name: 'Second' }]
  showInPage(
    <EditCheckForm check={{ ...check, ...change }} configurations={configurations} groups={[]} />,
  )
  await edit()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  return vi.mocked(saveCheck).mock.lastCall?.[0]
}

async function pick(control: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: control }))
  await userEvent.click(screen.getByRole('option', { name: option }))
}

test('a change is based on the version that the form was filled from', async () => {
  const sent = await saveAfter({}, async () => {
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' of today')
  })
  expect(sent).toMatchObject({ id: 'c1', version: 4, name: 'Logs of today', sources: {} })
  expect(sent).not.toHaveProperty('configuration')
  expect(sent).not.toHaveProperty('prompt')
})

test('a tool is called only after somebody picks it, and one without a recording can be named', async () => {
  const sent = await saveAfter({}, async () => {
    await pick('fetch_logs', 'A fixed text')
    await userEvent.type(screen.getByRole('textbox', { name: 'Text of fetch_logs' }), 'Empty.')
    await userEvent.type(screen.getByRole('textbox', { name: /Another tool/ }), 'write_note{Enter}')
    await pick('write_note', 'Always call it, even if it writes')
  })
  expect(sent?.sources).toEqual({
    fetch_logs: { type: 'fixed', content: 'Empty.' },
    write_note: { type: 'live' },
  })
})

test('a check whose configuration was deleted gets another one', async () => {
  const sent = await saveAfter({ configuration: { id: null, name: 'Local' } }, async () => {
    expect(screen.getByText('The configuration was deleted')).toBeInTheDocument()
    await pick('Configuration', 'Second')
  })
  expect(sent).toMatchObject({ configuration: 'm2' })
})
