import { beforeEach, expect, test, vi } from 'vitest'
import { logCounted } from './log-counted'

const lines: { message: string; payload?: { total: number } }[] = []

beforeEach(() => {
  lines.length = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)))
    return true
  })
  return () => vi.restoreAllMocks()
})

const totals = () => lines.map(({ payload }) => payload?.total)
const noon = Date.UTC(2026, 0, 1, 12)

test('20,000 equal events of an hour are five lines, and the next hour begins anew', () => {
  for (let n = 0; n < 20_000; n += 1)
    logCounted('error', ['one'], { source: 'page' }, 'Failed', noon)
  expect(totals()).toEqual([1, 10, 100, 1_000, 10_000])
  logCounted('error', ['one'], { source: 'page' }, 'Failed', noon + 3_600_000)
  expect(totals()).toHaveLength(6)
})

test('different kinds count alone, up to 1,000 of them', () => {
  const later = noon + 86_400_000
  for (let n = 0; n < 3_000; n += 1) logCounted('warn', [`${n}`], {}, 'Failed', later)
  expect(totals().filter((total) => total === 1)).toHaveLength(1_001)
  expect(lines.length).toBeLessThan(1_010)
})
