import { expect, test } from 'vitest'
import { lenientQuery } from '@/lib/edge/lenient-query'
import type { Verdict } from '@/lib/protocol/tool'
import type { ToolExplanation } from '@/lib/toolset/policy/explain-tools'
import { toListing } from '@/lib/toolset/tools/tool-listing'
import { testTool } from '@/tests/support/run-fixture'
import { ExplainQuery, filterExplained } from './explain-filter'

function explained(name: string, verdict: Verdict): ToolExplanation {
  return {
    ...toListing(testTool(name)),
    verdict,
    answers: [],
    approval: null,
  }
}

const tools = [
  explained('read', { allowed: true }),
  explained('write', { allowed: false, gate: 'group', reason: 'Off for the audit.' }),
]
const names = (filter: Parameters<typeof filterExplained>[1]) =>
  filterExplained(tools, filter).map(({ name }) => name)

test('finds by verdict, name and reason', () => {
  expect(names({})).toEqual(['read', 'write'])
  expect(names({ verdict: 'allowed' })).toEqual(['read'])
  expect(names({ verdict: 'refused' })).toEqual(['write'])
  expect(names({ search: 'AUDIT group' })).toEqual(['write'])
  expect(names({ search: 'audit', verdict: 'allowed' })).toEqual([])
})

test('finds the tools that wait for approval by the name of the rule', () => {
  const words = 'Each call waits for approval because of the rule "Deploys".'
  const sentences = [{ words, cause: { type: 'rules' } as const }]
  const approval = { always: true, sentences }
  const waiting = [{ ...explained('write', { allowed: true }), approval }]
  expect(filterExplained(waiting, { search: 'deploys approval' })).toHaveLength(1)
  expect(filterExplained(tools, { search: 'deploys' })).toEqual([])
})

test('the address is read leniently, and whom it names is not made up', () => {
  const user = '019a0000-0000-7000-8000-000000000001'
  expect(lenientQuery(ExplainQuery, { user, verdict: 'maybe', configuration: '' })).toEqual({
    user,
  })
  expect(lenientQuery(ExplainQuery, { user: 'nobody', configuration: 'none' })).toEqual({
    user: 'nobody',
    configuration: 'none',
  })
})
