import { expect, test } from 'vitest'
import { OwnDatabaseError } from './read-only'
import { isTooSlow, isWrongValue, troubleOf } from './source-trouble'

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
  expect(troubleOf(error)).toContain(words)
  expect(troubleOf(error)).not.toMatch(/hunter2|db\.internal/)
})

test('a value that does not fit and a statement that takes too long are told apart', () => {
  expect([isWrongValue(failure('22P02')), isTooSlow(failure('22P02'))]).toEqual([true, false])
  expect([isWrongValue(failure('57014')), isTooSlow(failure('57014'))]).toEqual([false, true])
  expect([isWrongValue(null), isTooSlow(undefined)]).toEqual([false, false])
})
