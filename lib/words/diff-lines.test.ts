import { expect, test } from 'vitest'
import { diffLines, diffLinesQuickly, diffWordsQuickly } from './diff-lines'

test('lines and words are compared, and all of both texts is in the parts', () => {
  expect(diffLines('a\nb\n', 'a\nc\n')).toEqual([
    { type: 'same', value: 'a\n' },
    { type: 'removed', value: 'b\n' },
    { type: 'added', value: 'c\n' },
  ])
  expect(diffLinesQuickly('a\nb\n', 'a\nc\n')).toEqual(diffLines('a\nb\n', 'a\nc\n'))
  const words = diffWordsQuickly('It is red now.', 'It is blue now.')
  expect(words.filter(({ type }) => type !== 'same')).toEqual([
    { type: 'removed', value: 'red' },
    { type: 'added', value: 'blue' },
  ])
})

test('texts that would take long are shown whole', () => {
  const text = (letters: string) =>
    Array.from({ length: 100_000 }, (_, at) => letters[(at * at + at) % 7]).join('\n')
  const [before, after] = [text('abcdefg'), text('gfedcba')]
  const whole = [
    { type: 'removed', value: before },
    { type: 'added', value: after },
  ]
  expect(diffLinesQuickly(before, after)).toEqual(whole)
  const [long, longer] = ['a '.repeat(200_000), 'b '.repeat(200_000)]
  expect(diffWordsQuickly(long, longer).map(({ type }) => type)).toEqual(['removed', 'added'])
})
