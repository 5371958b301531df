import { expect, test } from 'vitest'
import { auditDiff } from './audit-diff'

test('names each field that differs, first those, and takes objects apart', () => {
  const before = { name: 'Ana', limits: { rounds: 5, cost: null }, groups: ['a'], __proto__x: 1 }
  const after = { name: 'Ana', limits: { rounds: 7, cost: null }, groups: ['a', 'b'], added: true }
  expect(auditDiff(before, after)).toEqual([
    { field: 'limits.rounds', before: 5, after: 7, changed: true },
    { field: 'groups', before: ['a'], after: ['a', 'b'], changed: true },
    { field: '__proto__x', before: 1, after: undefined, changed: true },
    { field: 'added', before: undefined, after: true, changed: true },
    { field: 'name', before: 'Ana', after: 'Ana', changed: false },
    { field: 'limits.cost', before: null, after: null, changed: false },
  ])
})

test('an object that was made or removed has one side, and an entry without values has none', () => {
  expect(auditDiff(null, { role: 'member' })).toEqual([
    { field: 'role', before: undefined, after: 'member', changed: true },
  ])
  expect(auditDiff({ empty: {} }, null)).toEqual([
    { field: 'empty', before: {}, after: undefined, changed: true },
  ])
  expect(auditDiff('old', 'new')).toEqual([
    { field: 'value', before: 'old', after: 'new', changed: true },
  ])
  expect(auditDiff(null, null)).toEqual([])
})
