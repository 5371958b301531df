import { expect, test } from 'vitest'
import { comparisonOf, deletedMark, quoted } from './columns'

const column = (base: string) => ({ name: 'c', type: base, base })

test('a name stands in a statement as one name, whatever is in it', () => {
  expect(quoted('orders')).toBe('"orders"')
  expect(quoted('a"; DROP TABLE b; --')).toBe('"a""; DROP TABLE b; --"')
  expect(() => quoted('')).toThrow()
  expect(() => quoted('a\0b')).toThrow()
})

test.each([
  ['integer', ['0', '-2147483648', '2147483647'], ['2147483648', '1.0', ' 1', '1e3', '']],
  ['smallint', ['32767'], ['32768']],
  ['bigint', ['9223372036854775807'], ['9223372036854775808']],
  ['numeric', ['1', '-1.50'], ['NaN', 'Infinity', '1.', '1e9', '']],
  ['boolean', ['true', 'false'], ['t', 'yes', '']],
  [
    'uuid',
    ['0198a000-0000-7000-8000-00000000a001'],
    ['0198a000', '{0198a000-0000-7000-8000-00000000a001}'],
  ],
  ['text', ['', "'; --"], ['a\0', '\ud800']],
  ['jsonb', ['{"a": 1}', 'no JSON'], ['\0']],
])('%s takes its values and no others', (base, right, wrong) => {
  const { takes } = comparisonOf(column(base))
  expect(right.filter((text) => !takes(text))).toEqual([])
  expect(wrong.filter(takes)).toEqual([])
})

test('what looks like the mark of deleted rows is found', () => {
  const found = (...names: string[]) => deletedMark(names.map((name) => ({ name })))
  expect(
    ['deleted_at', 'deletedAt', 'is_deleted', 'deleted', 'isDeleted'].map((name) =>
      found('id', name),
    ),
  ).toEqual([...['deleted_at', 'deletedAt', 'is_deleted', 'deleted', 'isDeleted']])
  expect(found('id', 'deletedBy', 'undeleted')).toBeNull()
})
