import { expect, it } from 'vitest'
import { RateLimitedError } from '@/lib/kernel/errors'
import { connectionTestTurn } from './connection-test-turn'

it('lets one person test 30 times a minute, and others besides', () => {
  for (let turn = 0; turn < 30; turn += 1) connectionTestTurn('one', turn)
  expect(() => connectionTestTurn('one', 30_000)).toThrow(RateLimitedError)
  expect(() => connectionTestTurn('two', 30_000)).not.toThrow()
  expect(() => connectionTestTurn('one', 60_000)).not.toThrow()
  expect(() => connectionTestTurn('one', 60_000)).toThrow('Wait 1 s.')
})
