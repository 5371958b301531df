/** The values that each field of a cron expression means, in ascending order. */
type Fields = {
  minutes: number[]
  hours: number[]
  days: number[]
  months: number[]
  /** 0 is Monday. */
  weekdays: number[]
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A list of more is no easier to read than the expression. */
const mostListed = 4

/**
 * Returns a valid cron expression as a sentence: "Weekdays at 08:00". Null = no short sentence says exactly the same, so the
 * expression itself is shown.
 */
export function cronWords(cron: string): string | null {
  const fields = readFields(cron)
  const times = timesOfDay(fields)
  const days = daysOf(fields)
  if (times === null || days === null) return null
  if (times.startsWith('at ')) return `${days.first} ${times}`
  return `${times}${days.after}`
}

function readFields(cron: string): Fields {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/)
  // Sunday is 0 and 7.
  const weekdays = valuesOf(weekday, 0, 7, weekdayNumber).map((each) => (each + 6) % 7)
  return {
    minutes: valuesOf(minute, 0, 59),
    hours: valuesOf(hour, 0, 23),
    days: valuesOf(day, 1, 31),
    months: valuesOf(month, 1, 12, (name) => placeOf(monthNames, name) + 1),
    weekdays: inOrder(weekdays),
  }
}

function weekdayNumber(name: string): number {
  return (placeOf(weekdayNames, name) + 1) % 7
}

/** Returns the place of a name that is given by its first three letters. */
function placeOf(names: readonly string[], short: string): number {
  return names.findIndex((name) => name.slice(0, 3).toLowerCase() === short.toLowerCase())
}

/** Returns the values of one field. `numberOf`: what a name stands for. */
function valuesOf(
  field: string,
  least: number,
  most: number,
  numberOf: (name: string) => number = Number,
): number[] {
  const numberIn = (text: string) => (/^\d+$/.test(text) ? Number(text) : numberOf(text))
  const values = field.split(',').flatMap((part) => {
    const [range = '', step = '1'] = part.split('/')
    const [first = '', last = first] = range.split('-')
    const [from, to] = range === '*' ? [least, most] : [numberIn(first), numberIn(last)]
    const count = Math.floor((to - from) / Number(step)) + 1
    return Array.from({ length: Math.max(count, 0) }, (_, index) => from + index * Number(step))
  })
  return inOrder(values)
}

function inOrder(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

/** Returns the distance between neighbours, where it is the same for all; null = it is not, or there is one value. */
function stepOf([first, second, ...rest]: readonly number[]): number | null {
  if (first === undefined || second === undefined) return null
  const step = second - first
  return rest.every((each, index) => each === second + (index + 1) * step) ? step : null
}

/** Returns "at 08:00 and 13:00" or "Every 15 minutes from 08:00 to 17:45"; null = there are no words. */
function timesOfDay({ minutes, hours }: Fields): string | null {
  if (minutes.length * hours.length <= mostListed) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)))
    return `at ${listed(times)}`
  }
  const step = stepOf(hours)
  const [minute = 0] = minutes
  const [first = 0, last = 0] = [hours[0], hours.at(-1)]
  if (step === null) return null
  if (minutes.length === 1 && step > 1) {
    return `Every ${step} hours from ${clock(first, minute)} to ${clock(last, minute)}`
  }
  const often = step === 1 ? everyMinutes(minutes) : null
  if (often === null) return hours.length === 24 ? someMinutes(minutes) : null
  const isAllDay = hours.length === 24
  if (isAllDay && (minutes.length > 1 || minute === 0)) return often
  if (isAllDay) return someMinutes(minutes)
  return `${often} from ${clock(first, minute)} to ${clock(last, minutes.at(-1) ?? minute)}`
}

/** Returns "Every 15 minutes", for minutes that go on in the next hour at the same distance. */
function everyMinutes(minutes: readonly number[]): string | null {
  if (minutes.length === 1) return 'Every hour'
  const step = stepOf(minutes)
  if (step === null || minutes[0] !== 0 || step * minutes.length !== 60) return null
  return step === 1 ? 'Every minute' : `Every ${step} minutes`
}

function someMinutes(minutes: readonly number[]): string | null {
  if (minutes.length > mostListed) return null
  const word = minutes.length === 1 ? 'minute' : 'minutes'
  return `Every hour at ${word} ${listed(minutes.map(String))}`
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The days, as a sentence begins with them, and as they follow a time. */
type DayWords = { first: string; after: string }

function daysOf({ days, months, weekdays }: Fields): DayWords | null {
  if (days.length < 31) return daysOfMonth(days, months)
  const inMonths = months.length === 12 ? '' : rangeOr(months, inTheMonths)
  if (inMonths === null) return null
  if (weekdays.length === 7) {
    return { first: `Every day${inMonths}`, after: inMonths }
  }
  const words = weekdayWords(weekdays)
  return { first: `${words.first}${inMonths}`, after: `${words.after}${inMonths}` }
}

/** Returns the words of a list: of a range when three or more follow one another; null = it is too long to read. */
function rangeOr(
  values: readonly number[],
  words: (shown: readonly number[], isRange: boolean) => string,
): string | null {
  const isRange = values.length > 2 && stepOf(values) === 1
  return isRange || values.length <= mostListed ? words(values, isRange) : null
}

function inTheMonths(months: readonly number[], isRange: boolean): string {
  const names = months.map((month) => monthNames[month - 1] ?? '')
  return isRange ? ` from ${names[0]} to ${names.at(-1)}` : ` in ${listed(names)}`
}

function weekdayWords(weekdays: readonly number[]): DayWords {
  const names = weekdays.map((day) => weekdayNames[day] ?? '')
  const isRange = weekdays.length > 2 && stepOf(weekdays) === 1
  if (isRange && weekdays[0] === 0 && weekdays.length === 5) return onDays('Weekdays', 'weekdays')
  if (weekdays.join() === '5,6') return onDays('Weekends', 'weekends')
  if (isRange) {
    const words = `${names[0]} to ${names.at(-1)}`
    return { first: words, after: ` from ${words}` }
  }
  const plural = listed(names.map((name) => `${name}s`))
  return onDays(plural, plural)
}

function onDays(first: string, after: string): DayWords {
  return { first, after: ` on ${after}` }
}

/** Returns "On the 1st and 15th of each month"; null where not every month has these days. */
function daysOfMonth(days: readonly number[], months: readonly number[]): DayWords | null {
  const shortest = Math.min(...months.map(leastDays))
  if ((days.at(-1) ?? 0) > shortest) return null
  const [day, month] = [days[0], monthNames[(months[0] ?? 1) - 1]]
  if (days.length === 1 && months.length === 1) {
    return { first: `Every year on ${day} ${month}`, after: ` on ${day} ${month}` }
  }
  const which = rangeOr(days, (shown, isRange) => {
    const ordinals = shown.map(ordinal)
    return isRange ? `${ordinals[0]} to ${ordinals.at(-1)}` : listed(ordinals)
  })
  const ofMonths = months.length === 12 ? ' of each month' : rangeOr(months, ofTheMonths)
  if (which === null || ofMonths === null) return null
  return { first: `On the ${which}${ofMonths}`, after: ` on the ${which}${ofMonths}` }
}

function ofTheMonths(months: readonly number[], isRange: boolean): string {
  const names = months.map((month) => monthNames[month - 1] ?? '')
  if (isRange) return ` of each month from ${names[0]} to ${names.at(-1)}`
  return ` of ${listed(names)}`
}

/** Returns how many days a month has in every year. */
function leastDays(month: number): number {
  return new Date(Date.UTC(2027, month, 0)).getUTCDate()
}

function ordinal(day: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }
  return `${day}${ending[ordinalRules.select(day)]}`
}

const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' })

function listed(words: readonly string[]): string {
  return listFormat.format(words)
}

const listFormat = new Intl.ListFormat('en-GB')
