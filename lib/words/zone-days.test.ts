import { describe, expect, it } from 'vitest'
import { dateIn, dayStart, periodStart } from './zone-days'

const iso = (at: Date) => at.toISOString()

describe('days of a zone', () => {
  it('begin at its midnight', () => {
    expect(iso(dayStart('UTC', '2026-03-01'))).toBe('2026-03-01T00:00:00.000Z')
    expect(iso(dayStart('Europe/Berlin', '2026-03-01'))).toBe('2026-02-28T23:00:00.000Z')
    expect(iso(dayStart('Europe/Berlin', '2026-03-01', 31))).toBe('2026-03-31T22:00:00.000Z')
    expect(iso(dayStart('Asia/Kathmandu', '2026-03-01'))).toBe('2026-02-28T18:15:00.000Z')
    expect(iso(dayStart('Pacific/Kiritimati', '2026-01-01'))).toBe('2025-12-31T10:00:00.000Z')
  })

  it('begin after a change that leaves out midnight, and with the first of two', () => {
    // Beirut jumps from 0:00 to 1:00; Havana goes back from 1:00 to 0:00; Azores go back from 1:00 to 0:00.
    expect(iso(dayStart('Asia/Beirut', '2025-03-30'))).toBe('2025-03-29T22:00:00.000Z')
    expect(iso(dayStart('America/Havana', '2025-11-02'))).toBe('2025-11-02T04:00:00.000Z')
    // Santiago goes back from 24:00 to 23:00, so the day before is an hour longer.
    expect(iso(dayStart('America/Santiago', '2025-04-06'))).toBe('2025-04-06T04:00:00.000Z')
  })

  it('follow one another without a gap, in every zone of a year', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/Havana',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ]) {
      for (let day = 0; day < 366; day += 1) {
        const [start, next] = [
          dayStart(zone, '2025-01-01', day),
          dayStart(zone, '2025-01-01', day + 1),
        ]
        const last = new Date(next.getTime() - 1)
        expect(dateIn(zone, start)).toBe(dateIn(zone, last))
        expect(dateIn(zone, next)).not.toBe(dateIn(zone, start))
      }
    }
  })
})

describe('periods', () => {
  const at = new Date('2026-03-31T23:30:00Z')
  it.each([
    ['today', 'UTC', '2026-03-31T00:00:00.000Z'],
    ['today', 'Europe/Berlin', '2026-03-31T22:00:00.000Z'],
    ['7d', 'UTC', '2026-03-25T00:00:00.000Z'],
    ['7d', 'Europe/Berlin', '2026-03-25T23:00:00.000Z'],
    ['30d', 'America/Los_Angeles', '2026-03-02T08:00:00.000Z'],
    ['this-month', 'Europe/Berlin', '2026-03-31T22:00:00.000Z'],
    ['this-month', 'America/Los_Angeles', '2026-03-01T08:00:00.000Z'],
  ] as const)('%s in %s', (period, zone, start) => {
    expect(iso(periodStart(period, zone, at))).toBe(start)
  })
})
