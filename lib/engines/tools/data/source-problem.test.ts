import { expect, test } from 'vitest'
import { isTooSlow, isWrongValue, loggedProblem, problemOf, writeProblem } from './source-problem'
import { OwnDatabaseError, UnconfirmedError } from './transactions'

const failure = (code: string, message = 'password hunter2hunter2 of db.internal') =>
  Object.assign(new Error(message), { code })

test.each([
  [failure('28P01'), 'refused the user or the password'],
  [failure('ENOTFOUND'), 'does not resolve'],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate'],
  [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate'],
  [failure('XX000'), 'does not answer (XX000)'],
  [failure('', 'SASL: SCRAM-SERVER-FIRST-MESSAGE: hunter2hunter2'), 'asks for a password'],
  [failure('', 'timeout exceeded when trying to connect to hunter2hunter2'), 'within 5 seconds'],
  [failure('hunter2hunter2'), 'The log has the details'],
  [new OwnDatabaseError('hunter2hunter2'), "console's own database"],
  ['hunter2hunter2', 'The log has the details'],
])('%j is told in words of its own', (error, words) => {
  expect(problemOf(error)).toContain(words)
  expect(problemOf(error)).not.toMatch(/hunter2|db\.internal/)
})

test('a value that does not fit and a statement that takes too long are told apart', () => {
  expect([isWrongValue(failure('22P02')), isTooSlow(failure('22P02'))]).toEqual([true, false])
  expect([isWrongValue(failure('57014')), isTooSlow(failure('57014'))]).toEqual([false, true])
  expect([isWrongValue(null), isTooSlow(undefined)]).toEqual([false, false])
})

test.each([
  [failure('23505', 'duplicate key value violates "hunter2"'), 'duplicate'],
  [failure('23514', 'row hunter2'), 'refused'],
  [failure('P0001', 'hunter2'), 'refused'],
  [failure('22P02', 'hunter2'), 'wrong-value'],
  [failure('55P03', 'hunter2'), 'busy'],
  [failure('57014', 'hunter2'), 'too-slow'],
  [new UnconfirmedError('hunter2'), 'unknown'],
  ['hunter2', 'unavailable'],
])('a write that ends with %j is told as %s, in words of its own', (error, code) => {
  const problem = writeProblem(error)
  expect(problem.code).toBe(code)
  expect(problem.words).toMatch(
    code === 'unknown' ? /may have taken effect/ : /^Nothing was written/,
  )
  expect(problem.words).not.toContain('hunter2')
})

test('an error about values, which may name a whole row, is logged as its code alone', () => {
  expect(loggedProblem(failure('23514', 'Failing row contains (hunter2)'))).toEqual({
    code: '23514',
  })
  const other = failure('42501', 'permission denied')
  expect(loggedProblem(other)).toEqual({ err: other })
})
