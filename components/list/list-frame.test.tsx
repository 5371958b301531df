import { render, screen } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { expect, it, vi } from 'vitest'
import { ListFrame, PagedRows } from './list-frame'

function show(list: {
  search?: string
  total: number
  whole?: number
  page?: number
  capped?: { pages: number }
  nextCursor?: string
}) {
  const { search, page = 1, ...counts } = list
  const router = { prefetch: vi.fn(), replace: vi.fn() } satisfies Partial<AppRouterInstance>
  const sort = { by: '-name', default: 'name' } as const
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <NuqsTestingAdapter searchParams={search ? { search } : {}}>
        <ListFrame
          thing="group"
          address={{ path: '/groups', values: { search }, page, sort }}
          fields={[{ type: 'search', name: 'search', label: 'Search groups' }]}
          pageSize={10}
          searched="name"
          nothing="No groups yet"
          {...counts}
        >
          The rows
        </ListFrame>
      </NuqsTestingAdapter>
    </AppRouterContext>,
  )
}
const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

it('shows rows with their count and the way on, in the same order', () => {
  show({ search: 'a', total: 2025, whole: 4000, page: 2 })
  expect(screen.getByText('The rows')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('2 025 of 4 000 groups')
  expect(link('Next')).toBe('/groups?search=a&sort=-name&page=3')
  expect(link('Previous')).toBe('/groups?search=a&sort=-name')
})

it('says that there are more than were counted, and leads on by the last row of the page', () => {
  const capped = { pages: Number.POSITIVE_INFINITY }
  show({ total: 10_000, page: 1_200, capped, nextCursor: 'row-12000' })
  expect(screen.getByRole('status')).toHaveTextContent('10 000+ groups')
  expect(screen.getByText('The rows')).toBeVisible()
  expect(screen.getByText('Page 1 200')).toBeVisible()
  expect(link('Next')).toBe('/groups?sort=-name&page=1201&cursor=row-12000')
  expect(link('Previous')).toBe('/groups?sort=-name&page=1199')
})

it('says why there are no rows', () => {
  show({ search: 'a', total: 0, whole: 40 })
  expect(screen.getByText('No group matches this filter')).toBeVisible()
  expect(screen.getByText('The search looks at name.')).toBeVisible()
  expect(link('Clear filter')).toBe('/groups')
})

it('leads back from a page that is not there', () => {
  show({ total: 3, page: 2 })
  expect(screen.getByText('This page does not exist')).toBeVisible()
  expect(link('First page')).toBe('/groups?sort=-name')
  expect(screen.queryByText('The rows')).toBeNull()
})

it('offers the first step where there is nothing at all, without a filter', () => {
  show({ total: 0 })
  expect(screen.getByText('No groups yet')).toBeVisible()
  expect(screen.queryByRole('searchbox')).toBeNull()
})

it.each([
  [1, 'row 0', 20, ['/usage?by=user&page=2']],
  [3, 'row 40', 5, ['/usage?by=user&page=2']],
  // As after a filter in another tab.
  [9, 'row 40', 5, ['/usage?by=user&page=2']],
])('shows page %s of rows that were all read', (page, first, count, links) => {
  const rows = Array.from({ length: 45 }, (_, index) => `row ${index}`)
  const address = { path: '/usage', values: { by: 'user' }, page, sort: null }
  render(
    <PagedRows things="usage" rows={rows} address={address}>
      {(shown) => shown.map((row) => <p key={row}>{row}</p>)}
    </PagedRows>,
  )
  expect(screen.getAllByText(/^row/)).toHaveLength(count)
  expect(screen.getAllByText(/^row/)[0]).toHaveTextContent(first)
  expect(screen.getAllByRole('link').map((each) => each.getAttribute('href'))).toEqual(links)
})
