import { expect, test } from 'vitest'
import { comparisonOf, writtenAs } from './comparison'

const column = (base: string) => ({
  name: 'c',
  type: base,
  base,
  kind: 'other' as const,
  labels: null,
  operators: 'pg_catalog',
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
  ['jsonb', ['{"a": 1}', '[1]', '"a"'], ['\0', 'no JSON', '']],
  ['date', ['2024-02-29'], ['2026-02-29', '0000-01-01', 'now']],
  [
    'timestamp with time zone',
    ['2026-01-31T12:00:00.123456-05:30'],
    ['2026-01-31T12:00+16', '2026-01-31'],
  ],
  [
    'inet',
    ['10.0.0.1', '::1', '10.0.0.0/8', 'fe80::/10'],
    ['10.0.0.1/33', 'fe80::1%eth0', '10.1', '/8', ''],
  ],
  [
    'interval',
    ['1 year 2 mons', '-1 days +02:03:00', 'P1DT2H', '00:00:00'],
    ['infinity', '-infinity', 'now', ''],
  ],
  ['"char"', ['a', ''], ['abc', 'é']],
  ['name', ['x'.repeat(63)], ['x'.repeat(64)]],
  ['money', ['12.5', '-3'], ['$12.50', '1,000.00', '12.555']],
])('%s takes its values and no others', (base, right, wrong) => {
  const takes = comparisonOf(column(base))?.takes ?? (() => false)
  expect(right.filter((text) => !takes(text))).toEqual([])
  expect(wrong.filter(takes)).toEqual([])
})

test.each([
  ['character varying(3)', 'character varying', ['', 'abc', '\u{1f600}bc'], ['abcd']],
  ['character(2)', 'bpchar', ['ab'], ['abc']],
  ['bit(3)', '"bit"', ['101'], ['1010', '12']],
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
  const { takes, cast } = writtenAs({ ...column(base || type), type })
  expect(cast).toBe(type)
  expect(right.filter((text) => !takes(text))).toEqual([])
  expect(wrong.filter(takes)).toEqual([])
})
