import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { GrantWords } from './grant-words'

const wordsOf = (granted: string[] | null, idle: string[]) =>
  render(<GrantWords whose="It grants" grant={{ granted, unknown: [] }} idle={idle} />).container
    .textContent

test('says that nothing is listed only when nothing is', () => {
  expect(wordsOf(null, [])).toBe(
    'It grants whatever the other gates allow: nothing is listed under allowed-tools.',
  )
  expect(wordsOf(null, ['read-logs'])).toBe(
    'It grants whatever the other gates allow.read-logs lists tools but does not count now, so its limit is gone.',
  )
  expect(wordsOf(null, ['a', 'b'])).toContain(
    'a, b list tools but do not count now, so their limit is gone.',
  )
  expect(wordsOf(['get_env'], ['read-logs'])).toBe(
    'It grants get_env, and only where the other gates allow it.read-logs lists tools too but does not count now.',
  )
})
