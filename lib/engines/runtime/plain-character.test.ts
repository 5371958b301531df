import { expect, test } from 'vitest'
import { plainCharacter } from '@/lib/words/clean-text'

test.each([
  ['ａ', 'a'],
  ['𝐚', 'a'],
  ['á', 'a'],
  ['а', 'a'],
  ['С', 'c'],
  ['ѕ', 's'],
  ['ь', 'b'],
  ['ρ', 'p'],
  ['τ', 't'],
  ['օ', 'o'],
  ['ո', 'n'],
  ['ı', 'i'],
  ['ᴀ', 'a'],
  ['ᴜ', 'u'],
  ['ﬀ', 'ff'],
  ['𝟖', '8'],
  ['⑧', '8'],
  ['\u0301', ''],
  ['\u200b', ''],
  ['\u{e0061}', ''],
  ['—', ''],
  ['漢', '漢'],
  ['ж', 'ж'],
])('%j is read as %j', (character, plain) => {
  expect(plainCharacter(character)).toBe(plain)
})
