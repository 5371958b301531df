import { expect, test } from 'vitest'
import type { ConditionOperator } from '@/lib/protocol/approval'
import { looseForm, plainForm } from './alike'
import { conditionIssue, readCondition } from './conditions'

const boss = 'boss@example.org'

test.each([
  ['other case', 'Boss@Example.ORG'],
  ['a zero-width space', 'bo\u200bss@example.org'],
  ['a soft hyphen', 'boss@exam\u00adple.org'],
  ['a direction mark', '\u202eboss@example.org'],
  ['an invisible tag', 'boss\u{e0041}@example.org'],
  ['a Cyrillic letter', 'b\u043ess@example.org'],
  ['a Greek letter', 'b\u03bfss@example.org'],
  ['full width', '\uff42\uff4fss\uff20example\uff0eorg'],
  ['a styled letter', '\u{1d41b}oss@example.org'],
  ['a letter in a dark circle', '\u{1f151}oss@example.org'],
  ['a letter in a dark square', 'b\u{1f17e}ss@example.org'],
  ['a letter of a flag', '\u{1f1e7}oss@example.org'],
  ['a small capital', 'bo\ua731\ua731@example.org'],
  ['a Cherokee letter', 'bo\u13da\u13da@example.org'],
  ['a Hangul filler', 'boss\u3164@example.org'],
  ['a half-wide filler', 'bo\uffa0ss@example.org'],
  ['an empty Braille cell', 'boss\u2800@example.org'],
  ['an accent', 'b\u00f6ss@example.org'],
  ['a combining mark', 'bo\u0301ss@example.org'],
  ['a digit for a letter', 'b0ss@examp1e.org'],
  ['spaces', ' boss@example.org\u00a0'],
  ['another dot', 'boss@example\u3002org'],
  ['a list', ['boss@example.org']],
  ['an object', { to: { address: 'BOSS@example.org' } }],
  ['a name in an object', { 'boss@example.org': true }],
])('a loose comparison finds a text in spite of %s', (_what, found) => {
  const request = (operator: ConditionOperator, value: string, loose: boolean) =>
    readCondition({ path: '$.to', operator, value, loose }, { to: found }).holds
  for (const [operator, value] of [
    ['equals', boss],
    ['contains', 's@example'],
    ['starts-with', 'boss'],
    ['ends-with', '.org'],
    ['matches', '^b[o0]ss@examp[l1]e\\.org$'],
  ] as const) {
    // A pattern sees spaces, as it is written.
    if (operator === 'matches' && (_what === 'spaces' || _what === 'an empty Braille cell'))
      continue
    expect([operator, request(operator, value, true)]).toEqual([operator, true])
  }
  expect(request('equals', boss, false)).toBe(false)
  expect(request('equals', 'boss@example.com', true)).toBe(false)
})

test('a comparison is the same for both spellings of an accent', () => {
  for (const [form, other] of [
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ]) {
    const condition = { path: '$.path', value: 'r\u00e9sum\u00e9.md'.normalize(form) } as const
    const args = { path: 'r\u00e9sum\u00e9.md'.normalize(other) }
    expect(readCondition({ ...condition, operator: 'equals' }, args).holds).toBe(true)
    expect(readCondition({ ...condition, operator: 'not-equals' }, args).holds).toBe(false)
    expect(readCondition({ ...condition, operator: 'matches' }, args).holds).toBe(true)
  }
})

test('digits of every script are those of ASCII, and other letters stay', () => {
  expect(plainForm('\u0662\u0660\u0660 \u{1d7d0} \u0967')).toBe('200 2 1')
  expect(plainForm('\u65e5\u672c \u05d0')).toBe('\u65e5\u672c \u05d0')
  expect(looseForm('Il1|')).toBe('llll')
})

test('operators with "not" compare exactly, and a value that would become empty is refused', () => {
  const other = { path: '$.to', operator: 'not-equals', value: boss, loose: true } as const
  expect(readCondition(other, { to: 'Boss@example.org' }).holds).toBe(true)
  const nothing = { path: '$.to', operator: 'equals', value: '\u200b', loose: true } as const
  expect(conditionIssue(nothing)).toContain('Nothing of this value is left')
  expect(conditionIssue({ ...nothing, loose: false })).toBeNull()
})
