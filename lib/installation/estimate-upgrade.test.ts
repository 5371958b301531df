import { expect, test } from 'vitest'
import { requireBackup } from './estimate-upgrade'

const now = Date.parse('2026-11-29T12:00:00Z')
const large = { tables: [], diskBytes: 3 * 1024 ** 3 }

test.each([
  ['a small upgrade', { tables: [], diskBytes: 1024 ** 3, lastBackup: null }],
  ['a large one with a backup of today', { ...large, lastBackup: '2026-11-29T01:00:00Z' }],
])('%s is applied', (_title, estimate) => {
  expect(() => requireBackup(estimate, now)).not.toThrow()
})

test.each([
  [
    'no backup',
    null,
    /up to 3 GB of the database anew, and there is no backup\. Run `bin\/toolgate backup FILE`/,
  ],
  ['an old backup', '2026-11-28T11:00:00Z', /the last backup is of 2026-11-28 11:00 UTC/],
])('a large upgrade is refused with %s', (_title, lastBackup, words) => {
  expect(() => requireBackup({ ...large, lastBackup }, now)).toThrow(words)
})
