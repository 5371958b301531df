import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { createObject, updateObject } from '@/app/(console)/(admin)/resource-actions'
import type { SiteListing } from '@/lib/domains/sites/shape'
import { showInPage } from '@/tests/support/show-in-page'
import { checkPages } from './actions'
import { NewSiteButton, SiteActions } from './site-form'

vi.mock('./actions', () => ({ checkPages: vi.fn() }))

const choices = {
  me: { id: 'u1', email: 'ada@example.org' },
  groups: [{ id: 'g1', name: 'Readers' }],
}
const site: SiteListing = {
  id: 's1',
  name: 'docs',
  address: 'https://example.org/docs/',
  sitemap: null,
  crawl: true,
  privateAddressAllowed: false,
  groups: [],
  note: null,
  enabled: true,
  lastCheck: null,
  createdByLabel: 'ada@example.org',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

beforeEach(() => {
  vi.mocked(createObject).mockResolvedValue({ ok: true, value: { id: 's1' } })
  vi.mocked(updateObject).mockResolvedValue({ ok: true, value: undefined })
})

test('a new site is sent with null for what stays empty', async () => {
  showInPage(<NewSiteButton choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Add website' }))
  await userEvent.type(screen.getByLabelText(/^Name/), 'docs')
  await userEvent.type(screen.getByLabelText(/^Address of/), 'https://example.org/docs/')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Readers' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add website' }))
  expect(createObject).toHaveBeenCalledWith('site', {
    name: 'docs',
    address: 'https://example.org/docs/',
    sitemap: null,
    crawl: true,
    privateAddressAllowed: false,
    groupIds: ['g1'],
    note: null,
    reason: '',
  })
})

test('the form opens for a site of which every text that may be empty is', async () => {
  showInPage(<SiteActions object={site} choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(screen.getByLabelText(/^Sitemap/)).toHaveValue('')
  expect(screen.getByLabelText(/^Note/)).toHaveValue('')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(updateObject).toHaveBeenCalledWith(
    'site',
    expect.objectContaining({ id: 's1', sitemap: null, note: null, groupIds: [] }),
  )
})

test.each([
  [2, 'Found 2 pages within 40 ms, from the sitemap https://example.org/sitemap.xml.'],
  [0, 'No page was found. It has no sitemap, and its links are not followed.'],
])('a check that finds %i pages says so', async (pages, words) => {
  vi.mocked(checkPages).mockResolvedValue({ ok: true, value: { pages, words } })
  showInPage(<SiteActions object={site} choices={choices} />)
  await userEvent.click(screen.getByRole('button', { name: 'Check' }))
  expect(await screen.findByText(words)).toBeVisible()
  expect(checkPages).toHaveBeenCalledWith({ id: 's1' })
})
