import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { ListedTool } from '@/components/nouns/tool-filter'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { showInPage } from '@/tests/support/show-in-page'
import { ToolList } from './tool-list'

const logs: ListedTool = toListing(testTool('fetch_logs', { group: 'system' }))
const users: ListedTool = toListing(testTool('list_users', { group: 'accounts' }))
const missing = (name: string): ListedTool =>
  toListing(testTool(name, { group: 'files', needs: 'workspace' }))

function show(tools: ListedTool[], isFiltered = false) {
  const toolSwitch = {
    flip: vi.fn(),
    flipWithReason: vi.fn(),
    reset: vi.fn(),
    pending: false,
    dialog: null,
  }
  showInPage(
    <ToolList
      tools={tools}
      allTools={tools}
      isFiltered={isFiltered}
      toolSwitch={toolSwitch}
      groupSwitch={{ flip: vi.fn(), dialog: null }}
    />,
  )
}

const fold = (name: string) => screen.getByRole('button', { name })

test('each group is folded and opened on its own', async () => {
  show([logs, users])
  expect(fold('system')).toHaveAttribute('aria-expanded', 'false')
  await userEvent.click(fold('system'))
  expect(fold('system')).toHaveAttribute('aria-expanded', 'true')
  expect(fold('accounts')).toHaveAttribute('aria-expanded', 'false')
})

test('a filter opens the groups in which it finds tools, and each can be folded', async () => {
  show([logs], true)
  expect(fold('system')).toHaveAttribute('aria-expanded', 'true')
  await userEvent.click(fold('system'))
  expect(fold('system')).toHaveAttribute('aria-expanded', 'false')
})

test('without JavaScript, the fold of a group leads to the group alone', () => {
  show([logs])
  expect(fold('system')).toHaveAttribute('name', 'group')
  expect(fold('system')).toHaveValue('system')
  expect(fold('system').closest('form')).toHaveAttribute('action', '/tools')
})

test('tools that lack the same say so in one line, with one link', () => {
  show([missing('read_file'), missing('list_files'), logs])
  const rows = screen.getAllByRole('row')
  expect(screen.getAllByText(/2 tools not available/)).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'Add a workspace' })).toHaveAttribute(
    'href',
    '/resources/workspaces',
  )
  const at = (text: RegExp) => rows.findIndex((row) => text.test(row.textContent ?? ''))
  expect(at(/read_file/)).toBeGreaterThan(at(/not available/))
  expect(at(/list_files/)).toBeGreaterThan(at(/not available/))
  expect(screen.getByRole('switch', { name: 'read_file' })).toBeDisabled()
})

test('a tool that cannot be loaded says why', () => {
  const notLoaded = 'broken.mjs cannot be loaded.'
  show([toListing(testTool('broken_tool', { notLoaded }))])
  const table = within(screen.getByRole('table', { name: 'Tools' }))
  expect(table.getByText(/Not loaded: broken.mjs cannot be loaded\./)).toBeVisible()
})

test('the first sentence of a description is not cut after an abbreviation', () => {
  const description = 'Reads files, e.g. logs. Models read this, too.'
  show([toListing(testTool('read_logs', { description }))])
  expect(screen.getByText('Reads files, e.g. logs.')).toBeVisible()
})

test('a row leads to the page of its tool', () => {
  show([logs])
  expect(screen.getByRole('link', { name: 'fetch_logs' })).toHaveAttribute(
    'href',
    '/tools/fetch_logs',
  )
})
