import { expect, test } from 'vitest'
import { destinationAt, destinationsAt, destinationsFor, placesFor } from './destinations'

test('members find no admin page', () => {
  const hrefs = destinationsFor('member').map((destination) => destination.href)
  expect(hrefs).toEqual(['/overview', '/playground', '/runs', '/approvals', '/tasks', '/memory'])
  expect(destinationsFor('admin').length).toBeGreaterThan(hrefs.length)
})

test('the palette knows the pages that the rail does not show, for whom they are', () => {
  const more = (role: 'admin' | 'member') =>
    placesFor(role)
      .filter((place) => !destinationsFor(role).includes(place))
      .map(({ href }) => href)
  expect(more('admin')).toEqual([
    '/runs/conversations',
    '/runs/panels',
    '/approvals/rules',
    '/memory/people',
    '/resources/hosts',
    '/resources/search-endpoints',
    '/resources/workspaces',
    '/resources/programs',
    '/resources/data-sources',
    '/resources/storages',
    '/resources/sites',
    '/connect',
    '/tools/explain',
    '/settings/site-file',
    '/settings/backups',
    '/account',
  ])
  expect(more('member')).toEqual(['/runs/conversations', '/runs/panels', '/account'])
})

test('a path belongs to its page and to no page that only begins alike', () => {
  expect(destinationAt('/runs', 'admin')?.label).toBe('Runs')
  expect(destinationAt('/runs/0193-abc', 'admin')?.label).toBe('Runs')
  expect(destinationAt('/account', 'admin')?.label).toBe('Your account')
  expect(destinationAt('/tools/explain', 'admin')?.label).toBe('Tools')
  expect(destinationAt('/runsheet', 'admin')).toBeUndefined()
  const above = (path: string) => destinationsAt(path, 'admin').map(({ label }) => label)
  expect(above('/resources/hosts/0193-abc')).toEqual(['Resources', 'Hosts'])
  expect(above('/approvals/rules/new')).toEqual(['Approvals', 'Rules'])
  expect(above('/runsheet')).toEqual([])
  const section = (role: 'admin' | 'member') =>
    destinationsAt('/tasks/0193-abc', role).map((place) => place.section)
  expect([section('admin'), section('member')]).toEqual([['Models'], ['Work']])
})
