import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { updateObject } from '@/app/(console)/(admin)/resource-actions'
import { type DataSource, dataSources } from '@/lib/domains/data-sources/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { DataSourceActions, NewDataSourceButton } from './data-source-form'

const choices = { me: { id: 'u1', email: 'ada@example.org' }, groups: [] }
const source: DataSource = {
  id: 's1',
  name: 'shop',
  kind: 'postgresql',
  privateAddressAllowed: false,
  groups: [],
  note: null,
  leadsTo: null,
  openTables: 0,
  secrets: [],
  enabled: true,
  createdByLabel: 'ada@example.org',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

test('a source without any text opens in the form, and keeps its connection string when it is saved', async () => {
  vi.mocked(updateObject).mockResolvedValue({ ok: true, value: undefined })
  showInPage(<DataSourceActions object={source} choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(screen.getByLabelText(/^Connection string/)).toHaveValue('')
  await userEvent.type(screen.getByLabelText(/^Note/), 'Orders')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(updateObject).toHaveBeenCalledWith(
    'data-source',
    expect.objectContaining({ id: 's1', name: 'shop', note: 'Orders' }),
  )
  expect(vi.mocked(updateObject).mock.calls[0]?.[1]).not.toHaveProperty('address')
})

test('only PostgreSQL asks for a connection string, which is hidden while it is typed', async () => {
  showInPage(<NewDataSourceButton choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Add data source' }))
  expect(screen.queryByLabelText(/^Connection string/)).toBeNull()
  await userEvent.click(screen.getByRole('combobox', { name: /^Kind/ }))
  await userEvent.click(screen.getByRole('option', { name: 'PostgreSQL' }))
  expect(screen.getByLabelText(/^Connection string/)).toHaveAttribute('type', 'password')
  expect(dataSources.fields.address.isSecret).toBe(true)
})
