import { expect, test } from 'vitest'
import { diffLines } from '@/lib/words/diff-lines'
import { diffRows } from './diff-view'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`)
const shown = (before: string, after: string) =>
  diffRows(diffLines(before, after)).rows.map((row) =>
    row.type === 'gap'
      ? `… ${row.lines}`
      : `${{ same: ' ', added: '+', removed: '-' }[row.type]}${row.text}`,
  )

test('a change stands between the lines around it; the rest is counted', () => {
  const before = lines(20)
  expect(shown(before.join(''), before.with(9, 'other\n').join(''))).toEqual([
    '… 6',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+other',
    ' line 11',
    ' line 12',
    ' line 13',
    '… 7',
  ])
})

test('texts that are equal show nothing but how long they are', () => {
  expect(shown(lines(9).join(''), lines(9).join(''))).toEqual(['… 9'])
  expect(shown('', 'new\n')).toEqual(['+new'])
})

test('a difference without end is cut', () => {
  const { rows, left } = diffRows(diffLines('', lines(2_500).join('')))
  expect([rows.length, left]).toEqual([2_000, 500])
})

test('texts without a line in common are shown whole, in good time', () => {
  const texts = ['a', 'b'].map((letter) =>
    Array.from({ length: 30_000 }, (_, index) => `${letter}${index}\n`).join(''),
  )
  const [before = '', after = ''] = texts
  const parts = diffLines(before, after)
  expect(parts.map(({ type }) => type)).toEqual(['removed', 'added'])
})
