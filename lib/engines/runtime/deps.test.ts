import { expect, test } from 'vitest'
import { openSubject, testTool, toolMap } from '@/tests/support/run-fixture'
import { planOffer } from './deps'

const tools = toolMap(
  testTool('zebra'),
  testTool('apple', { enabledByDefault: false }),
  testTool('Mango'),
)
const names = (list: { name: string }[]) => list.map((tool) => tool.name)

test('accepts what the gates accept, sorted by name, and names the gate of the rest', () => {
  const offer = planOffer(tools, openSubject)
  expect(names(offer.accepted)).toEqual(['Mango', 'zebra'])
  expect(offer.rejected).toEqual([{ name: 'apple', gate: 'enabled', reason: expect.any(String) }])
})

test('only the picked tools were asked for', () => {
  const offer = planOffer(tools, {
    ...openSubject,
    selected: new Set(['zebra', 'apple', 'Zebra', '__proto__']),
  })
  expect(names(offer.accepted)).toEqual(['zebra'])
  expect(offer.rejected.map(({ name, gate }) => [name, gate])).toEqual([
    ['Zebra', 'registered'],
    ['__proto__', 'registered'],
    ['apple', 'enabled'],
  ])
})

test('picking none asks for none', () => {
  expect(planOffer(tools, { ...openSubject, selected: new Set() })).toEqual({
    accepted: [],
    rejected: [],
  })
})
