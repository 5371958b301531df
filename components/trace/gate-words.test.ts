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

test('the limits of an API key lead to the keys of its owner, whatever gate they denied at', () => {
  const part = 'api-key' as const
  for (const gate of ['selection', 'configuration'] as const) {
    expect(gateWords(gate, { ...about, part })).toMatchObject({
      short: 'its API key may not use it',
      where: { label: 'Users', href: '/users/u1#api-keys' },
    })
  }
})

test('the link leads to the very tool, and to the list where no tool of this name is there', () => {
  expect(gateWords('enabled', about).where).toMatchObject({
    see: 'See it under Tools',
    after: 'See it under Tools',
    href: '/tools?search=fetch_logs',
  })
  expect(gateWords('registered', about).where).toMatchObject({
    after: 'See all tools',
    href: '/tools',
  })
})

test.each(['registered', 'pinned'] as const)('%s leads to the server of a tool of one', (gate) => {
  const toolName = 'files__read_file'
  expect(gateWords(gate, { ...about, toolName })).toMatchObject({
    where: { label: 'Servers', href: '/servers/of/files__read_file' },
    ask: expect.stringMatching(/[Aa]sk an admin/),
  })
  expect(gateWords('enabled', { ...about, toolName }).where?.href).toContain('/tools?search=files')
  const strange = { ...about, toolName: '../x__y' }
  expect(gateWords(gate, strange).where?.href).not.toContain('x__y')
})
