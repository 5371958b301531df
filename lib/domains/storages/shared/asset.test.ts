import { describe, expect, it, test } from 'vitest'
import { assetName, assetPathProblem, plainAlternativeText, plainAssetPath } from './asset'

describe('a path of an asset', () => {
  it.each([
    ['/press//logo.png/', 'press/logo.png'],
    ['./press/./logo.png', 'press/logo.png'],
    [' press / logo.png ', 'press/logo.png'],
    ['cafe\u0301.png', 'caf\u00e9.png'],
    ['/', ''],
  ])('has one spelling: %j', (written, plain) => {
    expect(plainAssetPath(written)).toBe(plain)
    expect(assetPathProblem(plain)).toBeNull()
  })

  it.each([
    '../x',
    'a/../../x',
    'a/..',
    'a\0b',
    'a\nb',
    'photo\u202egnp.exe',
    'a\u200bb',
    '\ud800',
    'a\\..\\b',
    'x'.repeat(201),
    `${'x'.repeat(100)}/`.repeat(41),
    Array.from({ length: 21 }, () => 'a').join('/'),
  ])('is refused when it is hostile: %j', (path) => {
    expect(assetPathProblem(plainAssetPath(path))).toMatch(/\.$/)
  })

  it('ends with the name of the file', () => {
    expect([assetName('a/b/c.png'), assetName('c.png')]).toEqual(['c.png', 'c.png'])
  })
})

test('an alternative text is one line without control characters', () => {
  expect(plainAlternativeText(' A\u0007 cat\r\n\tsleeps. ')).toBe('A cat sleeps.')
})
