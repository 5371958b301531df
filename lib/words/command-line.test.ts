import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandLineOf, parseCommandLine, parsePairs } from './command-line'

test.each([
  ['npx -y server /tmp/a', ['npx', '-y', 'server', '/tmp/a']],
  [`node "my server.js" 'a b' c\\ d`, ['node', 'my server.js', 'a b', 'c d']],
  [`echo "" '' $HOME;rm`, ['echo', '', '', '$HOME;rm']],
  ['  ', []],
])('%s is read as its words', (text, words) => {
  expect(parseCommandLine(text)).toEqual(words)
})

test('a quote that is not closed is no command', () => {
  expect(parseCommandLine('node "server.js')).toBeNull()
})

test('any words are read again as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(parseCommandLine(commandLineOf(words))).toEqual(words)
    }),
  )
})

test('pairs are one a line, and values may hold the separator', () => {
  expect(parsePairs('Authorization: Bearer a:b\n\n X-Team : ops ', ':')).toEqual({
    Authorization: 'Bearer a:b',
    'X-Team': 'ops',
  })
  expect(parsePairs('KEY', '=')).toBe('Write "name= value" on each line.')
  expect(parsePairs('A=1\nA=2', '=')).toBe('A is there twice.')
})
