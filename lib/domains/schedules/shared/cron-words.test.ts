import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cronFault, nextTimes } from './cron'
import { cronWords } from './cron-words'

test.each([
  ['0 8 * * 1-5', 'At 08:00, Monday through Friday'],
  ['0 8 * * MON-FRI', 'At 08:00, Monday through Friday'],
  ['30 7,13 * * *', 'At 07:30 and 13:30'],
  [' 0 12  * * 7 ', 'At 12:00, only on Sunday'],
  ['0 9 * * 1,3,5', 'At 09:00, only on Monday, Wednesday, and Friday'],
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['*/15 8-17 * * 1-5', 'Every 15 minutes, between 08:00 and 17:59, Monday through Friday'],
  ['0 * * * *', 'Every hour'],
  ['20 * * * 1-4', 'At 20 minutes past the hour, Monday through Thursday'],
  ['5,35 8-17 * * *', 'At 5 and 35 minutes past the hour, between 08:00 and 17:59'],
  ['10 6-18/2 * * *', 'At 10 minutes past the hour, every 2 hours, between 06:00 and 18:59'],
  ['0 7 1,15 * *', 'At 07:00, on day 1 and 15 of the month'],
  ['0 7 31 * *', 'At 07:00, on day 31 of the month'],
  ['0 7 24 12 *', 'At 07:00, on day 24 of the month, only in December'],
  ['0 6 * 6-8 1', 'At 06:00, only on Monday, June through August'],
])('%s is "%s"', (cron, words) => {
  expect(cronFault(cron)).toBeNull()
  expect(cronWords(cron)).toBe(words)
})

test.each([
  ['a step that begins anew with each hour', '*/7 * * * *'],
  ['a step that begins anew with each day', '0 */5 * * *'],
  ['a step that begins anew with each month', '0 7 */2 * *'],
  ['a list with a range', '0,30-40 * * * *'],
  ['a week from Sunday to Sunday', '0 7 * * 0-7'],
  ['many values', '1,3,4,9,15,17,22,23,38,42,48,59 1,3,4,7,11,13,22,23 * * 1,3,5'],
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
    { numRuns: 600 },
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
  const isDay = dayTest(words)
  const times: string[] = []
  const midnight = Math.floor(from.getTime() / dayMs) * dayMs
  for (let day = midnight; times.length < count; day += dayMs) {
    if (!isDay(new Date(day))) continue
    for (const minute of minutes) {
      const at = day + minute * 60_000
      if (at > from.getTime() && times.length < count) times.push(new Date(at).toISOString())
    }
  }
  return times
}

/** Returns the minutes of the day that the words name. */
function minutesIn(words: string): number[] {
  const isMinute = minuteTest(words)
  const isHour = hourTest(words)
  const exact = /^At ((?:\d\d:\d\d(?:,? and |, )?)+)/.exec(words)?.[1]
  if (exact) return clocksIn(exact)
  const all = Array.from({ length: 24 * 60 }, (_, minute) => minute)
  const span = /^Every minute between (\S+ and \S+)/.exec(words)?.[1]
  if (span) return all.filter(inSteps(1, clocksIn(span)))
  return all.filter((minute) => isMinute(minute % 60) && isHour(Math.floor(minute / 60)))
}

/** Returns the times of day in the words, in minutes and in order. */
function clocksIn(words: string): number[] {
  const clocks = words.matchAll(/(\d\d):(\d\d)/g)
  const minutes = [...clocks].map(([, hour, minute]) => Number(hour) * 60 + Number(minute))
  return [...new Set(minutes)].toSorted((a, b) => a - b)
}

function minuteTest(words: string): (minute: number) => boolean {
  if (/^(?:Every hour|On the hour)/.test(words)) return (minute) => minute === 0
  const listed = /^At ([\d, and]+) minutes? past the hour/.exec(words)?.[1]?.match(/\d+/g)
  if (listed) return (minute) => listed.map(Number).includes(minute)
  const step = Number(/^Every (\d+) minutes?/.exec(words)?.[1] ?? 1)
  const range = /minutes (\d+) through (\d+) past the hour/i.exec(words)?.slice(1).map(Number)
  return inSteps(step, range ?? [0, 59])
}

function hourTest(words: string): (hour: number) => boolean {
  const listed = /, at ((?:\d\d:00(?:,? and |, )?)+)/.exec(words)?.[1]?.match(/\d\d(?=:)/g)
  if (listed) return (hour) => listed.map(Number).includes(hour)
  const step = Number(/every (\d+) hours?/.exec(words)?.[1] ?? 1)
  const range = /between (\d\d):00 and (\d\d):\d\d/.exec(words)?.slice(1).map(Number)
  return inSteps(step, range ?? [0, 23])
}

function inSteps(step: number, [first = 0, last = first]: readonly number[]) {
  return (value: number) => value >= first && value <= last && (value - first) % step === 0
}

function dayTest(words: string): (day: Date) => boolean {
  const isMonth = namedTest(words, monthNames, /every (\d+) months/)
  const isWeekday = namedTest(words, weekdayNames, /every (\d+) days? of the week/)
  const isDate = dateTest(words)
  return (day) =>
    isMonth(day.getUTCMonth()) && isWeekday(day.getUTCDay()) && isDate(day.getUTCDate())
}

/** Returns a test for the places of the names in the words, and of those between two that are a range. */
function namedTest(
  words: string,
  names: readonly string[],
  steps: RegExp,
): (place: number) => boolean {
  const found = [...words.matchAll(new RegExp(names.join('|'), 'g'))].map(([name]) =>
    names.indexOf(name),
  )
  const [first = 0, last = 0] = found
  if (!words.includes(`${names[first]} through ${names[last]}`))
    return (place) => found.length === 0 || found.includes(place)
  const step = Number(steps.exec(words)?.[1] ?? 1)
  const isIn = inSteps(step, [first, last < first ? last + names.length : last])
  return (place) => isIn(place) || isIn(place + names.length)
}

function dateTest(words: string): (date: number) => boolean {
  const listed = /on day ([\d, and]+) of the month/.exec(words)?.[1]?.match(/\d+/g)
  if (listed) return (date) => listed.map(Number).includes(date)
  const range = /between day (\d+) and (\d+) of/.exec(words)?.slice(1).map(Number)
  return inSteps(Number(/every (\d+) days in a month/.exec(words)?.[1] ?? 1), range ?? [1, 31])
}
