import { expect, test } from 'vitest'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { toolCommand } from './palette-results'

const author = { reason: 'Audit', changedByLabel: 'Ada', changedAt: new Date(0) }
const tool = testTool('fetch_logs', { group: 'system' })

test('switches a tool, and leads to its group where that holds it off', () => {
  expect(toolCommand(toListing(tool))).toEqual({
    label: 'Switch off fetch_logs',
    on: true,
    href: null,
  })
  expect(toolCommand(toListing(tool, { groupOff: author }))).toEqual({
    label: 'See the group system: it is off, and so is fetch_logs',
    on: false,
    href: '/tools?group=system',
  })
})

test('says that raw data asks for a reason first', () => {
  const raw = toListing(testTool('get_env_raw', { enabledByDefault: false }))
  expect(toolCommand(raw).label).toBe('Switch on get_env_raw…')
})
