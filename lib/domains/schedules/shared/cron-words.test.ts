import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cronFault, nextTimes } from './cron'
import { cronWords } from './cron-words'

test.each([
  ['0 8 * * 1-5', 'Weekdays at 08:00'],
  ['0 8 * * MON-FRI', 'Weekdays at 08:00'],
  ['30 7,13 * * *', 'Every day at 07:30 and 13:30'],
  ['0 12 * * 7', 'Sundays at 12:00'],
  ['0 12 * * 0,6', 'Weekends at 12:00'],
  ['0 9 * * 1,3,5', 'Mondays, Wednesdays and Fridays at 09:00'],
  ['0 9 * * 2-4', 'Tuesday to Thursday at 09:00'],
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['*/15 8-17 * * 1-5', 'Every 15 minutes from 08:00 to 17:45 on weekdays'],
  ['0 * * * *', 'Every hour'],
  ['20 * * * 1-4', 'Every hour at minute 20 from Monday to Thursday'],
  ['5,35 * * * *', 'Every hour at minutes 5 and 35'],
  ['10 6-18/2 * * *', 'Every 2 hours from 06:10 to 18:10'],
  ['0 7 1 * *', 'On the 1st of each month at 07:00'],
  ['0 7 1,15 * *', 'On the 1st and 15th of each month at 07:00'],
  ['0 7 1-5 4-6 *', 'On the 1st to 5th of each month from April to June at 07:00'],
  ['0 7 1 JAN,JUL *', 'On the 1st of January and July at 07:00'],
  ['0 7 24 12 *', 'Every year on 24 December at 07:00'],
  ['0 6 * 6-8 1', 'Mondays from June to August at 06:00'],
])('%s is "%s"', (cron, words) => {
  expect(cronFault(cron)).toBeNull()
  expect(cronWords(cron)).toBe(words)
})

test.each([
  ['a day that not every month has', '0 7 31 * *'],
  ['a day that not every year has', '0 7 29 2 *'],
  ['many times', '0 1,2,4,8,16 * * *'],
  ['minutes that do not go on in the next hour', '*/7 * * * *'],
  ['minutes in some hours', '5,35 8-17 * * *'],
  ['many days', '0 7 1,3,5,8,20 * *'],
  ['many months', '0 7 1 1,2,4,8,10 *'],
])('%s has no words', (_, cron) => {
  expect(cronFault(cron)).toBeNull()
  expect(cronWords(cron)).toBeNull()
})

test('the next times of every expression that has words fit these words, and no others do', () => {
  let worded = 0
  fc.assert(
    fc.property(anyCron, anyMoment, (cron, from) => {
      if (cronFault(cron) !== null) return
      const words = cronWords(cron)
      if (words === null) return
      worded += 1
      const next = nextTimes({ cron, timeZone: 'UTC' }, from, 5)
      const times = next.map((at) => at.toISOString())
      expect(times, `${cron} is "${words}"`).toEqual(nextByWords(words, from, 5))
    }),
    { numRuns: 1_000 },
  )
  expect(worded).toBeGreaterThan(150)
})

const figures = (least: number, most: number) => {
  const one = fc.integer({ min: least, max: most })
  const range = fc.tuple(one, one).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  const step = fc.constantFrom(2, 3, 4, 5, 6, 7, 10, 12, 15, 20, 30)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('*') },
    { weight: 4, arbitrary: one.map(String) },
    { weight: 2, arbitrary: range },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.oneof(fc.constant('*'), range), step).map((p) => p.join('/')),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.oneof(one.map(String), range), { minLength: 2, maxLength: 4 })
        .map((p) => p.join()),
    },
  )
}

const weekdays = fc.oneof(
  figures(0, 7),
  fc.constantFrom('MON', 'sun', 'MON-FRI', 'Tue-Thu', 'SAT,SUN', '5-7', 'mon,wed,fri'),
)
const months = fc.oneof(figures(1, 12), fc.constantFrom('JAN', 'feb-apr', 'MAR,SEP', 'DEC'))

const anyCron = fc
  .tuple(
    figures(0, 59),
    figures(0, 23),
    fc.oneof(fc.tuple(figures(1, 31), fc.constant('*')), fc.tuple(fc.constant('*'), weekdays)),
    fc.oneof(fc.constant('*'), months),
  )
  .map(([minute, hour, [day, weekday], month]) => `${minute} ${hour} ${day} ${month} ${weekday}`)

const anyMoment = fc
  .integer({ min: Date.UTC(2026, 0), max: Date.UTC(2029, 0) })
  .map((ms) => new Date(ms))

const dayMs = 86_400_000
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2027, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
)

/** Returns the next times that a reader of the words expects, on a clock of UTC. */
function nextByWords(words: string, from: Date, count: number): string[] {
  const minutes = minutesIn(words)
  const times: string[] = []
  const midnight = Math.floor(from.getTime() / dayMs) * dayMs
  for (let day = midnight; times.length < count; day += dayMs) {
    if (!isDayIn(words, new Date(day))) continue
    for (const minute of minutes) {
      const at = day + minute * 60_000
      if (at > from.getTime() && times.length < count) times.push(new Date(at).toISOString())
    }
  }
  return times
}

/** Returns the minutes of the day that the words name. */
function minutesIn(words: string): number[] {
  const all = Array.from({ length: 24 * 60 }, (_, minute) => minute)
  const clocks = [...words.matchAll(/(\d\d):(\d\d)/g)].map(([, h, m]) => Number(h) * 60 + Number(m))
  const every = /Every (?:(\d+) )?(minute|hour)s?\b/.exec(words)
  if (!every) return clocks
  const atMinutes = /at minutes? ((?:\d+(?:, | and )?)+)/.exec(words)?.[1]
  if (atMinutes) {
    const named = atMinutes.match(/\d+/g)?.map(Number)
    return all.filter((minute) => named?.includes(minute % 60))
  }
  const step = Number(every[1] ?? 1) * (every[2] === 'hour' ? 60 : 1)
  const [first = 0, last = 24 * 60] = clocks
  return all.filter((minute) => minute >= first && minute <= last && (minute - first) % step === 0)
}

function isDayIn(words: string, day: Date): boolean {
  const [weekday, month, date] = [day.getUTCDay(), day.getUTCMonth(), day.getUTCDate()]
  const months = named(words, monthNames)
  if (months.length > 0 && !months.includes(month)) return false
  const dates = datesIn(words)
  if (dates.length > 0) return dates.includes(date)
  if (/weekdays/i.test(words)) return weekday > 0 && weekday < 6
  if (/weekends/i.test(words)) return weekday === 0 || weekday === 6
  const days = named(words, weekdayNames)
  return days.length === 0 || days.includes(weekday)
}

/** Returns the places of the names in the words, and of those between two that are a range. */
function named(words: string, names: readonly string[]): number[] {
  const found = [...words.matchAll(new RegExp(names.join('|'), 'g'))].map(([name]) =>
    names.indexOf(name),
  )
  const [first = 0, last = 0] = found
  const isRange = new RegExp(`${names[first]} to ${names[last]}`).test(words)
  if (found.length !== 2 || !isRange) return found
  const length = ((last - first + names.length) % names.length) + 1
  return Array.from({ length }, (_, index) => (first + index) % names.length)
}

function datesIn(words: string): number[] {
  const [, yearly] = /on (\d+) [A-Z]/.exec(words) ?? []
  if (yearly) return [Number(yearly)]
  const dates = [...words.matchAll(/(\d+)(?:st|nd|rd|th)/g)].map(([, date]) => Number(date))
  const [first = 0, last = 0] = dates
  if (!/\d(?:st|nd|rd|th) to \d/.test(words)) return dates
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
