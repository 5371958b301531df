import { expect, test } from 'vitest'
import { Moment } from './moment'

test.each(['2026-01-31T12:00:00Z', '1970-01-01T00:00:00+00:00', '9999-12-31T23:59:59Z'])(
  '%s is a moment',
  (text) => {
    expect(Moment.parse(text)).toBe(text)
  },
)

test.each([
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59-14:00',
  '2026-01-31',
  'now',
])('%s is none that the database could be asked for', (text) => {
  expect(Moment.safeParse(text).success).toBe(false)
})
