import { expect, test } from 'vitest'
import { comparisonOf, deletedMark, quoted, writtenAs } from './columns'

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

test.each([
  ['character varying(3)', 'character varying', ['', 'abc', '\u{1f600}bc'], ['abcd']],
  ['character(2)', 'character', ['ab'], ['abc']],
  ['text', 'text', ['a\nb'], ['a\0']],
  ['date', 'date', ['2026-01-31'], ['today', '31.1.2026', 'infinity']],
  [
    'timestamp without time zone',
    '',
    ['2026-01-31 12:00', '2026-01-31T12:00:00.5'],
    ['now', '2026-01-31 12:00Z'],
  ],
  [
    'timestamp with time zone',
    '',
    ['2026-01-31T12:00Z', '2026-01-31 12:00:01+02:00'],
    ['now', 'tomorrow'],
  ],
  ['double precision', '', ['1.5', '1e9', '-2'], ['NaN', '0x1']],
])('a text is written as %s only when it is one', (type, base, right, wrong) => {
  const { takes, cast } = writtenAs({ name: 'c', type, base: base || type })
  expect(cast).toBe(type)
  expect(right.filter((text) => !takes(text))).toEqual([])
  expect(wrong.filter(takes)).toEqual([])
})
