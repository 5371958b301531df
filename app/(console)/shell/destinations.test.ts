import { expect, test } from 'vitest'
import { destinationAt, destinationsFor } from './destinations'

test('members find no admin page', () => {
  const hrefs = destinationsFor('member').map((destination) => destination.href)
  expect(hrefs).toEqual(['/playground', '/runs', '/approvals'])
  expect(destinationsFor('admin').length).toBeGreaterThan(hrefs.length)
})

test('a path belongs to its page and to no page that only begins alike', () => {
  expect(destinationAt('/runs')?.label).toBe('Runs')
  expect(destinationAt('/runs/0193-abc')?.label).toBe('Runs')
  expect(destinationAt('/runsheet')).toBeUndefined()
})
