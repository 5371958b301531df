import { render, screen, within } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { expect, it, vi } from 'vitest'
import type { Column } from './columns'
import { DataTable } from './data-table'
import type { ListAddress } from './list-address'

type Row = { id: string; name: string; cost: number }
type Key = 'name' | 'cost'

const columns: Column<Row, Key>[] = [
  { key: 'name', head: 'Name', sort: 'text', cell: (row) => row.name },
  { key: 'cost', head: 'Cost', sort: 'number', figures: true, cell: (row) => `$${row.cost}` },
  { key: 'more', head: <span>More</span>, cell: () => 'More' },
]
const rows = [
  { id: '1', name: 'Ana', cost: 3 },
  { id: '2', name: 'Ben', cost: 2 },
]
const at = (by: 'name' | '-name' | 'cost' | '-cost'): ListAddress<Key> => ({
  path: '/things',
  values: { search: 'n' },
  page: 4,
  sort: { by, default: 'name' },
})

function show(address: ListAddress<Key>) {
  const router = { prefetch: vi.fn(), replace: vi.fn() } satisfies Partial<AppRouterInstance>
  const { unmount } = render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <NuqsTestingAdapter searchParams={{ sort: address.sort?.by ?? '' }}>
        <DataTable
          label="Things"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          card={(row) => <b>{row.name}</b>}
          address={address}
        />
      </NuqsTestingAdapter>
    </AppRouterContext>,
  )
  const head = (name: string) => screen.getByRole('columnheader', { name })
  const way = (name: string) => {
    const link = within(head(name)).queryByRole('link')
    return [head(name).getAttribute('aria-sort'), link?.getAttribute('href')]
  }
  return { way, unmount }
}

it('has every row as a line and as a card', () => {
  show(at('name'))
  const table = within(screen.getByRole('table', { name: 'Things' }))
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'NameCostMore',
    'Ana$3More',
    'Ben$2More',
  ])
  expect(screen.getAllByRole('article').map((card) => card.textContent)).toEqual(['Ana', 'Ben'])
})

it('leads from each head to its order on the first page, and keeps the filter', () => {
  const byName = show(at('name'))
  expect(byName.way('Name')).toEqual(['ascending', '/things?search=n&sort=-name'])
  expect(byName.way('Cost')).toEqual([null, '/things?search=n&sort=-cost'])
  expect(byName.way('More')).toEqual([null, undefined])
  byName.unmount()
  const byCost = show(at('-cost'))
  expect(byCost.way('Name')).toEqual([null, '/things?search=n'])
  expect(byCost.way('Cost')).toEqual(['descending', '/things?search=n&sort=cost'])
  expect(screen.getByRole('combobox', { name: 'Order' })).toHaveTextContent('Cost, highest first')
})

it('has no order to pick where the list has one only', () => {
  const { way } = show({ ...at('name'), sort: null })
  expect(way('Name')).toEqual([null, undefined])
  expect(screen.queryByRole('combobox')).toBeNull()
})
