import { expect, test } from 'vitest'
import { gateWords } from './gate-words'

const about = { toolName: 'fetch_logs', configurationId: 'c1', userId: 'u1' }

test.each([
  [undefined, '/configurations/c1#tool-groups'],
  ['audience', '/configurations/c1#audience'],
  ['switch', '/configurations/c1'],
] as const)('a configuration that says no by its %s leads to %s', (part, href) => {
  expect(gateWords('configuration', { ...about, part }).where?.href).toBe(href)
})

test('where the sentence of a gate names the place, the link after it does not again', () => {
  expect(gateWords('enabled', about).where).toMatchObject({
    see: 'See it under Tools',
    after: 'See it there',
    href: '/tools?search=fetch_logs',
  })
  expect(gateWords('role', about).where?.after).toBe('See it under Users')
})
