import { expect, it } from 'vitest'
import { connectionHealth } from './health'

const now = new Date('2026-11-22T12:00:00Z')
const row = {
  connectionId: 'c',
  failures: 5,
  openUntil: new Date('2026-11-22T12:00:30Z'),
  probeAt: null,
  lastCategory: 'server',
  lastAdvice: 'Try again.',
  lastFailedAt: new Date('2026-11-22T11:59:59Z'),
}

it('is untried without a row, and healthy with one that counts no failure', () => {
  expect(connectionHealth(null, now)).toEqual({ type: 'untried' })
  expect(connectionHealth({ ...row, failures: 0 }, now)).toEqual({ type: 'healthy' })
})

it('is open until its time, and failing before and after', () => {
  const facts = { failures: 5, advice: 'Try again.', at: '2026-11-22T11:59:59.000Z' }
  expect(connectionHealth(row, now)).toEqual({
    type: 'open',
    ...facts,
    openUntil: '2026-11-22T12:00:30.000Z',
  })
  expect(connectionHealth({ ...row, openUntil: now }, now)).toEqual({ type: 'failing', ...facts })
  expect(connectionHealth({ ...row, openUntil: null }, now)).toEqual({ type: 'failing', ...facts })
})
