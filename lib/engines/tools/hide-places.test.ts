import { describe, expect, it } from 'vitest'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { hidePlaces } from './hide-places'

const folder = '/srv/toolgate'

describe('hidePlaces', () => {
  it.each([
    ['at run (/srv/toolgate/lib/runs/a.ts:12:3)', 'at run (lib/runs/a.ts:12:3)'],
    ['at file:///srv/toolgate/lib/a.ts:12:3', 'at lib/a.ts:12:3'],
    ['at x (/usr/lib/node/a.js:1:2)', 'at x ([path]:1:2)'],
    ["ENOENT: open '/home/ada/.ssh/id'", "ENOENT: open '[path]'"],
    ['in ~/notes and C:\\Users\\ada\\x', 'in [path] and [path]'],
    ['connect ECONNREFUSED 10.1.2.3:5432', 'connect ECONNREFUSED [address]'],
    ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED [address]'],
    ['listen fe80::1ff:fe23:4567:890a', 'listen [address]'],
    ['getaddrinfo ENOTFOUND db.internal', 'getaddrinfo ENOTFOUND [address]'],
    ['no answer of db.internal:5432', 'no answer of [address]'],
    ['localhost:3000 is taken', '[address] is taken'],
    ['GET https://api.example.com/v1/x?y=1 failed', 'GET [address] failed'],
    ['mail to ada@example.com', 'mail to [address]'],
  ])('replaces what is in "%s"', (text, expected) => {
    expect(hidePlaces(text, folder)).toBe(expected)
  })

  it.each([
    'at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    'The run ended and/or was stopped at 12:34:56, 3.5 s late.',
    'TypeError: x.map is not a function',
    'Incident 0198a3b4-1111-7abc-8def-0123456789ab',
  ])('leaves other text as it is: %s', (text) => {
    expect(hidePlaces(text, folder)).toBe(text)
  })

  it.each(['/', 'a@', '1:', 'a.', '://a', '::', '1.2.', '~/', 'file:///'])(
    'takes time in proportion to the text when it repeats "%s"',
    (piece) => {
      const repeated = (length: number) => piece.repeat(length / piece.length)
      const hide = (text: string) => hidePlaces(text, folder)
      expect(timeGrowth(64_000, repeated, hide)).toBeLessThan(mostGrowth)
    },
  )
})
