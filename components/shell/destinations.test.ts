import { expect, test } from 'vitest'
import type { Role } from '@/lib/protocol/tool'
import { destinationAt, destinationsAt, destinationsFor, placesFor, tabsAt } from './destinations'

test('members find no admin page', () => {
  const hrefs = destinationsFor('member').map((destination) => destination.href)
  expect(hrefs).toEqual(['/overview', '/playground', '/runs', '/approvals', '/checks', '/tasks'])
  expect(destinationsFor('admin').length).toBeGreaterThan(hrefs.length)
})

test('the palette knows the pages that the rail does not show, for whom they are', () => {
  const more = (role: 'admin' | 'member') =>
    placesFor(role)
      .filter((place) => !destinationsFor(role).some(({ href }) => href === place.href))
      .map(({ href }) => href)
      .filter((href) => !href.startsWith('/resources/'))
  expect(more('admin')).toEqual([
    '/runs/conversations',
    '/runs/panels',
    '/approvals/decided',
    '/checks/suites',
    '/schedules',
    '/approvals/rules',
    '/tools/explain',
    '/tools/try-change',
    '/tools/policy-cases',
    '/channels',
    '/models',
    '/connect',
    '/budgets',
    '/groups',
    '/memory/people',
    '/settings/site-file',
    '/settings/backups',
    '/account',
    '/memory',
  ])
  const own = [
    '/runs/conversations',
    '/runs/panels',
    '/approvals/decided',
    '/checks/suites',
    '/account',
    '/memory',
  ]
  expect(more('member')).toEqual(own)
})

test('a path belongs to its page and to no page that only begins alike', () => {
  expect(destinationAt('/runs')?.label).toBe('Runs')
  expect(destinationAt('/runs/0193-abc')?.label).toBe('Runs')
  expect(destinationAt('/account')?.label).toBe('Your account')
  expect(destinationAt('/tools/explain')?.label).toBe('Tools')
  expect(destinationAt('/runsheet')).toBeUndefined()
  const above = (path: string) => destinationsAt(path).map(({ label }) => label)
  expect(above('/resources/hosts/0193-abc')).toEqual(['Resources', 'Hosts'])
  expect(above('/approvals/rules/new')).toEqual(['Tools', 'Rules'])
  expect(above('/runsheet')).toEqual([])
  expect(above('/models/0193-abc')).toEqual(['Connections', 'Models'])
  expect(above('/users/0193-abc')).toEqual(['People'])
})

test('the rail has at most 16 entries', () => {
  expect(destinationsFor('admin').length).toBeLessThanOrEqual(16)
})

test('pages that belong together are tabs of one another, for whom they are', () => {
  const tabs = (path: string, role: Role) => tabsAt(path, role).map(({ tab }) => tab)
  expect(tabs('/connections', 'admin')).toEqual(['Connections', 'Models'])
  expect(tabs('/models', 'admin')).toEqual(['Connections', 'Models'])
  expect(tabs('/models/0193-abc', 'admin')).toEqual([])
  expect(tabs('/approvals', 'member')).toEqual(['Pending', 'Decided'])
  expect(tabs('/users', 'admin')).toEqual(['Users', 'Groups', 'Memory'])
  expect(tabs('/account', 'member')).toEqual(['Account', 'Memory'])
  expect(tabs('/channels', 'admin')).toContain('Hosts')
  expect([tabs('/tasks', 'member'), tabs('/skills', 'admin')]).toEqual([[], []])
})
