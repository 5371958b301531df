import { expect, test } from 'vitest'
import type { CheckVerdict } from './check'
import { verdictOf, worstVerdict } from './check-verdict'

const tries = (passes: number, ...verdicts: (CheckVerdict | null)[]) =>
  verdicts.map((verdict) => ({ configurationId: 'one', verdict, passes }))

test('a check passes when so many of its tries do', () => {
  expect(verdictOf(tries(2, 'passed', 'failed', 'passed'))).toBe('passed')
  expect(verdictOf(tries(2, 'passed', 'failed', 'failed'))).toBe('failed')
  expect(verdictOf(tries(1, 'not-run', 'passed'))).toBe('passed')
})

test('tries that did not run fail nothing, and let nothing pass', () => {
  expect(verdictOf(tries(2, 'passed', 'not-run', 'failed'))).toBe('not-run')
  expect(verdictOf(tries(1, 'not-run'))).toBe('not-run')
  expect(verdictOf([])).toBe('not-run')
})

test('there is no verdict before each try has one', () => {
  expect(verdictOf(tries(1, 'passed', null))).toBe(null)
  expect(worstVerdict(['failed', null])).toBe(null)
})

test('each configuration counts its own tries', () => {
  const other = tries(1, 'failed').map((each) => ({ ...each, configurationId: 'other' }))
  expect(verdictOf([...tries(1, 'passed'), ...other])).toBe('failed')
  expect(worstVerdict(['passed', 'not-run'])).toBe('not-run')
  expect(worstVerdict(['passed', 'passed'])).toBe('passed')
})
