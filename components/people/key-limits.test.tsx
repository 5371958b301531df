import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import { showInPage } from '@/tests/support/show-in-page'
import { KeyList } from './key-list'

const key: ApiKeyListing = {
  id: 'k',
  userId: 'u',
  userEmail: 'ada@example.org',
  name: 'Nightly',
  prefix: 'tg_1',
  scopes: ['runs:write'],
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  pausedAt: null,
  runsUnderWay: 0,
  sensitiveScopes: [],
  unusableScopes: [],
  limits: { tools: ['fetch_logs'], toolGroups: null, configurations: [{ id: 'c1', name: 'One' }] },
}

test('marks sensitive scopes, and says which scopes a limited key cannot use any more', () => {
  const revoke = async () => ({ ok: true as const, value: null })
  const wide: ApiKeyListing = {
    ...key,
    id: 'w',
    name: 'Wide',
    scopes: ['runs:read', 'programs:write'],
    sensitiveScopes: ['programs:write'],
  }
  const limited: ApiKeyListing = { ...wide, id: 'l', unusableScopes: ['programs:write'] }
  const { rerender } = showInPage(<KeyList keys={[wide]} spend={[]} revoke={revoke} />)
  expect(screen.getByText('runs:read')).toBeVisible()
  expect(screen.getByText('sensitive: programs:write')).toBeVisible()
  rerender(<KeyList keys={[limited]} spend={[]} revoke={revoke} />)
  expect(screen.queryByText(/^sensitive/)).toBeNull()
  expect(screen.getByText('limited or budgeted, so without programs:write')).toBeVisible()
})

test('shows what a key may use, and sends only what is chosen', async () => {
  const limit = vi.fn(async () => ({ ok: true as const, value: null }))
  const configurations = [
    { id: 'c1', name: 'One' },
    { id: 'c2', name: 'Two' },
  ]
  const revoke = async () => ({ ok: true as const, value: null })
  const limiting = { toolGroups: ['system', 'web'], configurations, limit }
  showInPage(<KeyList keys={[key]} spend={[]} revoke={revoke} limiting={limiting} />)
  expect(screen.getByText('may use the tool fetch_logs; the configuration One')).toBeVisible()

  await userEvent.click(screen.getByRole('button', { name: /^Limit/ }))
  expect(screen.getByLabelText(/Single tools/)).toHaveValue('fetch_logs')
  await userEvent.click(screen.getByRole('checkbox', { name: 'web' }))
  await userEvent.type(screen.getByLabelText(/Single tools/), ', get_env,')
  await userEvent.click(screen.getByRole('checkbox', { name: 'One' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Two' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(limit).toHaveBeenCalledWith({
    id: 'k',
    tools: ['fetch_logs', 'get_env'],
    toolGroups: ['web'],
    reason: '',
    configurations: ['c2'],
  })
})
