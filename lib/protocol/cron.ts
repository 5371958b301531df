import { Cron } from 'croner'

const fieldCount = 5
const badField =
  'A field has a value that it cannot have. "*/15 * * * *" is every 15 minutes, "0 7 1 * *" the first of each month at 7:00.'

/** A value or name, a range of them, or all; a step comes after a range or after all. */
const part = String.raw`(?:(?:\*|VALUE-VALUE)(?:/\d+)?|VALUE)`.replaceAll(
  'VALUE',
  '(?:\\d+|[a-z]{3})',
)
const field = new RegExp(`^${part}(?:,${part})*$`, 'i')

/** Returns what is wrong with a cron expression; null = nothing. */
export function cronFault(cron: string): string | null {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== fieldCount) {
    return 'Give five fields: minute, hour, day of the month, month, day of the week. "0 7 * * 1-5" is 7:00 on weekdays.'
  }
  if (!fields.every((each) => field.test(each))) return badField
  if (fields[2] !== '*' && fields[4] !== '*') {
    return 'Give days of the month or days of the week, not both.'
  }
  try {
    if (nextTimes(cron, 'UTC', new Date(), 1).length === 1) return null
    return 'This time never comes.'
  } catch {
    return badField
  }
}

export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format() !== ''
  } catch {
    return false
  }
}

/**
 * Returns the next `count` times after `from`. What the change to summer time leaves out is left out, and what the change
 * back repeats comes once.
 */
export function nextTimes(cron: string, timeZone: string, from: Date, count: number): Date[] {
  const matcher = open(cron, timeZone)
  // A time that is left out is moved by the library, and does not match any more.
  return matcher
    .nextRuns(count + 2, from)
    .filter((at) => matcher.match(at))
    .slice(0, count)
}

/** Returns the last time before `from`; null = there is none. */
export function lastTime(cron: string, timeZone: string, from: Date): Date | null {
  const matcher = open(cron, timeZone)
  return matcher.previousRuns(3, from).find((at) => matcher.match(at)) ?? null
}

export function isTimeOf(cron: string, timeZone: string, at: Date): boolean {
  const [next] = nextTimes(cron, timeZone, new Date(at.getTime() - 1), 1)
  return next?.getTime() === at.getTime()
}

function open(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, paused: true })
}
