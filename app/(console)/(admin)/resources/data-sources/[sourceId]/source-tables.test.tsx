import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { FoundTable, OpenedTable } from '@/lib/domains/data-sources/shared/opened-table'
import { showInPage } from '@/tests/support/show-in-page'
import { closeSourceTable, openSourceTable } from '../actions'
import { SourceTablesSection } from './source-tables'

vi.mock('../actions', () => ({
  openSourceTable: vi.fn(async () => ({
    ok: true,
    value: { id: 't1', deletedColumn: 'deleted_at', hidden: { rows: 3, of: 120 } },
  })),
  closeSourceTable: vi.fn(async () => ({ ok: true, value: undefined })),
}))

const noHistory = {
  historyTable: null,
  historyKey: null,
  historyAt: null,
  historyWho: null,
  historyKind: null,
}
const opened: OpenedTable = {
  id: 't1',
  schema: 'public',
  name: 'lines',
  columns: ['id'],
  key: [],
  deletedColumn: null,
  ownerColumn: null,
  ownerHolds: null,
  groupsOnly: true,
  groups: [],
  insertColumns: [],
  updateColumns: [],
  ...noHistory,
}
const column = (name: string, looksSecret = false) => ({ name, type: 'text', looksSecret })
const table = (name: string, more: Partial<FoundTable> = {}): FoundTable => ({
  schema: 'public',
  name,
  isView: false,
  key: ['id'],
  deletedColumn: null,
  opened: null,
  columns: [column('id'), column('note'), column('api_token', true)],
  writable: ['id', 'note'],
  ...more,
})
const show = (tables: FoundTable[], trouble: string | null = null) =>
  showInPage(
    <SourceTablesSection
      sourceId="s1"
      isConsole={false}
      opened={[opened]}
      found={{ trouble, queries: trouble, tables, isCut: false }}
      groups={[{ id: 'g1', name: 'Support' }]}
    />,
  )

test('a table opens with all columns but those that look secret, which can be ticked', async () => {
  show([table('orders'), table('lines', { opened })])
  await userEvent.click(screen.getByRole('button', { name: 'Open public.orders' }))
  const dialog = within(screen.getByRole('dialog'))
  const read = within(dialog.getByRole('group', { name: 'Columns that tools may read' }))
  expect(read.getByRole('checkbox', { name: /^note/ })).toBeChecked()
  expect(read.getByRole('checkbox', { name: /^api_token/ })).not.toBeChecked()
  expect(dialog.getByText(/looks like a secret/)).toBeInTheDocument()
  await userEvent.click(read.getByRole('checkbox', { name: /^note/ }))
  const members = dialog.getByRole('combobox', { name: 'Members who may read it' })
  expect(members).toHaveTextContent('Everybody who may use the data source')
  expect(dialog.queryByRole('checkbox', { name: 'Support' })).toBeNull()
  await userEvent.click(members)
  await userEvent.click(screen.getByRole('option', { name: 'Only these groups' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Support' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Open table' }))
  expect(openSourceTable).toHaveBeenCalledWith({
    id: 's1',
    schema: 'public',
    name: 'orders',
    columns: ['id'],
    groupsOnly: true,
    groupIds: ['g1'],
    deletedColumn: null,
    ownerColumn: null,
    ownerHolds: null,
    reason: '',
    insertColumns: [],
    updateColumns: [],
    ...noHistory,
  })
})

test('a mark that was found is left to the server, until another is picked, and what it hides is said', async () => {
  vi.mocked(openSourceTable).mockClear()
  const columns = [column('id'), column('deleted_at')]
  show([table('orders', { columns, deletedColumn: 'deleted_at' })])
  await userEvent.click(screen.getByRole('button', { name: 'Open public.orders' }))
  const dialog = within(screen.getByRole('dialog'))
  const mark = dialog.getByRole('combobox', { name: 'Mark of deleted rows' })
  expect(mark).toHaveTextContent('Found: deleted_at')
  vi.mocked(openSourceTable).mockResolvedValueOnce({
    ok: false,
    error: {
      code: 'validation',
      message: 'Check the fields.',
      fields: { deletedColumn: 'It would hide all rows.' },
    },
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Open table' }))
  expect(vi.mocked(openSourceTable).mock.calls[0]?.[0]).not.toHaveProperty('deletedColumn')
  expect(dialog.getByText('It would hide all rows.')).toBeInTheDocument()
  await userEvent.click(mark)
  await userEvent.click(screen.getByRole('option', { name: 'deleted_at' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Open table' }))
  const picked = { deletedColumn: 'deleted_at' }
  expect(openSourceTable).toHaveBeenLastCalledWith(expect.objectContaining(picked))
  expect(screen.getByText('deleted_at hides 3 of 120 rows.')).toBeInTheDocument()
})

test('a table whose groups were deleted stays with admins when it is saved', async () => {
  vi.mocked(openSourceTable).mockClear()
  show([table('lines', { opened })])
  await userEvent.click(screen.getByRole('button', { name: 'Edit public.lines' }))
  const dialog = within(screen.getByRole('dialog'))
  const members = dialog.getByRole('combobox', { name: 'Members who may read it' })
  expect(members).toHaveTextContent('Only these groups')
  expect(dialog.getByText('Without one, only admins read it.')).toBeInTheDocument()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const kept = { groupsOnly: true, groupIds: [] }
  expect(openSourceTable).toHaveBeenCalledWith(expect.objectContaining(kept))
})

test('everybody is picked, and no group is sent', async () => {
  vi.mocked(openSourceTable).mockClear()
  const ofSupport = { ...opened, groups: [{ id: 'g1', name: 'Support' }] }
  show([table('lines', { opened: ofSupport })])
  await userEvent.click(screen.getByRole('button', { name: 'Edit public.lines' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByRole('checkbox', { name: 'Support' })).toBeChecked()
  await userEvent.click(dialog.getByRole('combobox', { name: 'Members who may read it' }))
  await userEvent.click(
    screen.getByRole('option', { name: 'Everybody who may use the data source' }),
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const all = { groupsOnly: false, groupIds: [] }
  expect(openSourceTable).toHaveBeenCalledWith(expect.objectContaining(all))
})

test('columns are opened for new rows and for changing, the key for new rows alone', async () => {
  vi.mocked(openSourceTable).mockClear()
  show([table('orders')])
  await userEvent.click(screen.getByRole('button', { name: 'Open public.orders' }))
  const dialog = within(screen.getByRole('dialog'))
  const set = within(dialog.getByRole('group', { name: /^Columns of new rows/ }))
  const change = within(dialog.getByRole('group', { name: /^Columns that tools may change/ }))
  expect(change.queryByRole('checkbox', { name: /^id/ })).toBeNull()
  await userEvent.click(set.getByRole('checkbox', { name: /^id/ }))
  await userEvent.click(set.getByRole('checkbox', { name: /^note/ }))
  await userEvent.click(change.getByRole('checkbox', { name: /^note/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Open table' }))
  const sent = { insertColumns: ['id', 'note'], updateColumns: ['note'] }
  expect(openSourceTable).toHaveBeenCalledWith(expect.objectContaining(sent))
})

test('a table with the history of records is picked, with its columns', async () => {
  vi.mocked(openSourceTable).mockClear()
  show([table('orders')])
  await userEvent.click(screen.getByRole('button', { name: 'Open public.orders' }))
  const dialog = within(screen.getByRole('dialog'))
  const pick = async (field: string, choice: string) => {
    await userEvent.click(dialog.getByRole('combobox', { name: field }))
    await userEvent.click(screen.getByRole('option', { name: choice }))
  }
  expect(dialog.queryByRole('combobox', { name: 'Column with the time' })).toBeNull()
  await pick('Table with the history of its records', 'public.lines')
  await pick('Column with the key', 'id')
  await pick('Column with the time', 'id')
  await userEvent.click(dialog.getByRole('button', { name: 'Open table' }))
  const sent = { historyTable: 'public.lines', historyKey: 'id', historyAt: 'id', historyWho: null }
  expect(openSourceTable).toHaveBeenCalledWith(expect.objectContaining(sent))
})

test('while the database does not answer, an open table can be closed and not edited', async () => {
  show([], 'Nothing listens there.')
  expect(screen.queryByRole('button', { name: 'Edit public.lines' })).toBeNull()
  expect(screen.getByText(/Only for admins/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: /Close/ }))
  expect(closeSourceTable).toHaveBeenCalledWith({ id: 's1', tableId: 't1' })
})

test('a search narrows a long list of closed tables', async () => {
  show(Array.from({ length: 12 }, (_, index) => table(`table_${index}`)))
  await userEvent.type(screen.getByLabelText('Search closed tables'), '_11')
  expect(screen.getAllByRole('button', { name: /^Open public/ })).toHaveLength(1)
  await userEvent.type(screen.getByLabelText('Search closed tables'), 'x')
  expect(screen.getByText('No matches')).toBeInTheDocument()
})

test('several tables are opened in one act, with the columns that look like no secret, and those that were refused stay', async () => {
  vi.mocked(openSourceTable).mockClear()
  show([table('orders'), table('users'), table('notes')])
  await userEvent.click(screen.getByRole('checkbox', { name: 'All 3 tables' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Pick public.notes' }))
  await userEvent.click(screen.getByRole('button', { name: 'Open 2 tables' }))
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox', { name: 'Members who may read them' }))
  await userEvent.click(screen.getByRole('option', { name: 'Only these groups' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Support' }))
  vi.mocked(openSourceTable)
    .mockResolvedValueOnce({ ok: true, value: { id: 't2', deletedColumn: null, hidden: null } })
    .mockResolvedValueOnce({
      ok: false,
      error: {
        code: 'validation',
        message: 'Check the fields.',
        fields: { deletedColumn: 'It would hide all rows.' },
      },
    })
  await userEvent.click(dialog.getByRole('button', { name: 'Open 2 tables' }))
  expect(await dialog.findByText(/public\.users: It would hide all rows\./)).toBeVisible()
  const usual = { columns: ['id', 'note'], groupsOnly: true, groupIds: ['g1'], reason: '' }
  expect(vi.mocked(openSourceTable).mock.calls.map(([sent]) => sent)).toEqual([
    { id: 's1', schema: 'public', name: 'orders', ...usual },
    { id: 's1', schema: 'public', name: 'users', ...usual },
  ])
  await userEvent.click(dialog.getByRole('button', { name: 'Open 2 tables' }))
  expect(vi.mocked(openSourceTable).mock.calls.map(([sent]) => sent.name)).toEqual([
    'orders',
    'users',
    'users',
  ])
  expect(await screen.findByText('Opened 2 tables')).toBeVisible()
})

test('a long list of closed tables shows ten, and all of them on demand or by their name', async () => {
  const last = 'Open public.table14'
  show(Array.from({ length: 14 }, (_, at) => table(`table${at + 1}`)))
  expect(screen.getAllByRole('button', { name: /^Open public/ })).toHaveLength(10)
  await userEvent.type(screen.getByRole('searchbox'), 'table14')
  expect(screen.getByRole('button', { name: last })).toBeVisible()
  await userEvent.clear(screen.getByRole('searchbox'))
  expect(screen.queryByRole('button', { name: last })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show all 14 tables' }))
  expect(screen.getByRole('button', { name: last })).toBeVisible()
})

test('tables of a long list are shown once they are picked, all at once or by a search', async () => {
  const last = 'Pick public.table14'
  show(Array.from({ length: 14 }, (_, at) => table(`table${at + 1}`)))
  const all = screen.getByRole('checkbox', { name: 'All 14 tables' })
  await userEvent.click(all)
  expect(screen.getByRole('button', { name: 'Open 14 tables' })).toBeVisible()
  expect(screen.getAllByRole('button', { name: /^Open public/ })).toHaveLength(14)
  await userEvent.click(all)
  expect(screen.queryByRole('checkbox', { name: last })).toBeNull()
  await userEvent.type(screen.getByRole('searchbox'), 'table14')
  await userEvent.click(screen.getByRole('checkbox', { name: last }))
  await userEvent.clear(screen.getByRole('searchbox'))
  expect(screen.getByRole('checkbox', { name: last })).toBeChecked()
})
