import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import tool from './current-time'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-29T00:59:59.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [{}, { zone: 'UTC', weekday: 'Sunday', iso: '2026-03-29T00:59:59+00:00', offset: '+00:00' }],
  [{ zone: 'Europe/Berlin' }, { iso: '2026-03-29T01:59:59+01:00', date: '2026-03-29' }],
  [{ zone: 'America/New_York' }, { weekday: 'Saturday', iso: '2026-03-28T20:59:59-04:00' }],
  [{ zone: 'Asia/Kathmandu' }, { time: '06:44:59', offset: '+05:45' }],
])('%j gives the time there', async (args, facts) => {
  const { content } = await callToolDirectly(tool, args)
  expect(content).toMatchObject(facts)
  expect(content).toMatchObject({ utc: '2026-03-29T00:59:59.000Z', unixSeconds: 1774745999 })
})

test('a change of the clock is followed to the second', async () => {
  vi.setSystemTime(new Date('2026-03-29T01:00:00.000Z'))
  const { content } = await callToolDirectly(tool, { zone: 'Europe/Berlin' })
  expect(content).toMatchObject({ iso: '2026-03-29T03:00:00+02:00' })
})

test.each(['Mars/Olympus', 'constructor', ' '])('the zone "%s" is refused', async (zone) => {
  await expect(callToolDirectly(tool, { zone })).rejects.toThrow('There is no such time zone.')
})
