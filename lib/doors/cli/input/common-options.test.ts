import { describe, expect, it } from 'vitest'
import { nameList, wholeNumber } from './common-options'

describe('wholeNumber', () => {
  const rounds = wholeNumber(1, 50)

  it('takes whole numbers of its range', () => {
    expect([rounds('1'), rounds('50'), rounds('007')]).toEqual([1, 50, 7])
    expect(['200000', '200,000', '200_000'].map(wholeNumber(1, 1_000_000))).toEqual(
      Array(3).fill(200_000),
    )
  })

  it.each(['0', '51', '-3', '2.5', '1e1', '', 'five', '９'])('refuses %j', (text) => {
    expect(() => rounds(text)).toThrow('Give a whole number from 1 to 50.')
  })
})

describe('nameList', () => {
  it('splits at commas, and names each once', () => {
    expect(nameList('a, b,a')).toEqual(['a', 'b'])
  })

  it.each(['', 'a,,b', ','])('refuses %j: no names is --no-tools', (text) => {
    expect(() => nameList(text)).toThrow('Give names separated by commas.')
  })
})
