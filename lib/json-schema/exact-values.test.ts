import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalKey, isEqual, isMultiple } from './exact-values'

const countOf = (object: object) => Object.keys(object).length
const same = (a: unknown, b: unknown) => isEqual(a, b, countOf)

test.each<[unknown, unknown, boolean]>([
  [1, 1.0, true],
  [0, -0, true],
  [1, '1', false],
  [0, false, false],
  [null, {}, false],
  [[], {}, false],
  [[1, 2], [2, 1], false],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ 0: 'a' }, ['a'], false],
  [JSON.parse('{"__proto__":1}'), {}, false],
  [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'), true],
  [{ constructor: 1 }, {}, false],
])('%j and %j: %s', (a, b, expected) => {
  expect(same(a, b)).toBe(expected)
  expect(equalKey([a]) === equalKey([b])).toBe(expected)
})

test('comparing values and comparing their keys agree', () => {
  const value = fc.jsonValue({ maxDepth: 2 })
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(equalKey([a]) === equalKey([b])).toBe(same(a, b))
      expect(same(a, structuredClone(a))).toBe(true)
    }),
  )
})

test('values deeper than a stack are compared', () => {
  const deep = () => {
    let value: unknown[] = []
    for (let depth = 0; depth < 50_000; depth += 1) value = [value]
    return value
  }
  expect(same(deep(), deep())).toBe(true)
  expect(equalKey(deep())).toHaveLength(equalKey(deep()).length)
})

test.each([
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [19.995, 0.01, false],
  [1e300, 1e-300, true],
  [1.5e-300, 1e-300, false],
  [2 ** 53, 2, true],
  [0, 0.1, true],
  [-7.5, 2.5, true],
  [Number.POSITIVE_INFINITY, 2, false],
])('%d is a multiple of %d: %s', (value, of, expected) => {
  expect(isMultiple(value, of)).toBe(expected)
})
