import { expect, test } from 'vitest'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass } from '@/lib/protocol/tool'
import { openSubject, subjectConfiguration, testTool } from '@/tests/support/run-fixture'
import { decideTool } from './decide-tool'

function decide(dataClass: DataClass, zone: TrustZone, raisedDataClass: DataClass | null = null) {
  const leastTrusted = { connectionName: 'OpenAI', zone }
  const configuration = subjectConfiguration({ leastTrusted, raisedDataClass })
  return decideTool(testTool('look', { dataClass }), { ...openSubject, configuration })
}

test('denies and says what may be sent where', () => {
  expect(decide('diagnostics', 'external-global')).toMatchObject({
    allowed: false,
    gate: 'trust-zone',
    reason: expect.stringContaining(
      'It returns diagnostics data, and OpenAI (external, global) may receive data up to content.',
    ),
  })
})

const allowed: [TrustZone, DataClass[]][] = [
  ['local', DataClass.options],
  ['private', ['public', 'content', 'source-code', 'internal-config', 'diagnostics']],
  ['external-eu', ['public', 'content', 'source-code', 'internal-config']],
  ['external-global', ['public', 'content']],
]

test.each(allowed)('a provider in the zone %s may receive these classes alone', (zone, classes) => {
  expect(DataClass.options.filter((each) => decide(each, zone).allowed)).toEqual(classes)
})

test('an admin can raise what a configuration may send, and cannot lower it by that', () => {
  const isAllowed = (dataClass: DataClass, raised: DataClass) =>
    decide(dataClass, 'external-global', raised).allowed
  expect(isAllowed('diagnostics', 'diagnostics')).toBe(true)
  expect(isAllowed('secret-adjacent', 'diagnostics')).toBe(false)
  expect(isAllowed('content', 'public')).toBe(true)
})
