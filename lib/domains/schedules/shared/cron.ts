import { Cron } from 'croner'
import { type ClockJump, clockJumps } from './clock-jumps'
import { cronWords } from './cron-words'

/** Set times: a cron expression, and the zone whose clock it means. */
type Times = { cron: string; timeZone: string }

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
    if (nextTimes({ cron, timeZone: 'UTC' }, new Date(), 1).length === 1) return null
    return 'This time never comes.'
  } catch {
    return badField
  }
}

/**
 * Returns the next `count` times after `from`. A time that the change to summer time leaves out comes at the first minute
 * after the change; one that the change back repeats comes once.
 */
export function nextTimes(times: Times, from: Date, count: number): Date[] {
  const matcher = open(times)
  const usual: Date[] = []
  for (let at = matcher.nextRun(from); at && usual.length < count; at = matcher.nextRun(at)) {
    // A time that is left out is moved by the library, by the length of the change, and does not match any more.
    if (matcher.match(at)) usual.push(at)
  }
  const last = usual.at(-1)
  return last ? inOrder([...usual, ...movedTimes(times, from, last)]).slice(0, count) : []
}

/** A change leaves out an hour at most, and the library moves each minute of it. */
const mostLeftOut = 64

/** Returns the last time before `from`; null = there is none. */
export function lastTime(times: Times, from: Date): Date | null {
  const matcher = open(times)
  const usual = matcher.previousRuns(mostLeftOut, from).find((at) => matcher.match(at))
  return usual ? (movedTimes(times, usual, from).at(-1) ?? usual) : null
}

/**
 * Returns the time on the clock, such as "02:30", that comes at `at` only because the change to summer time leaves it out;
 * null = this is no such moment.
 */
export function leftOutTime(times: Times, at: Date): string | null {
  const around = [new Date(at.getTime() - 1), new Date(at.getTime() + 1)] as const
  const [jump] = clockJumps(times.timeZone, ...around)
  if (!jump || open(times).match(at)) return null
  return leftOutBy(jump, times)?.toISOString().slice(11, 16) ?? null
}

/** Returns ", because the clock jumps over 02:30" for such a time; empty for none. */
export function movedWords(leftOut: string | null): string {
  return leftOut === null ? '' : `, because the clock jumps over ${leftOut} that night`
}

/** Returns the moments between two times to which a change to summer time moves a time that it leaves out. */
function movedTimes(times: Times, from: Date, to: Date): Date[] {
  const jumps = clockJumps(times.timeZone, from, to)
  return jumps.flatMap((jump) => (leftOutBy(jump, times) ? [jump.at] : []))
}

/** Returns the first time that a jump leaves out, as if the clock were UTC. What comes every hour misses nothing. */
function leftOutBy({ from, until }: ClockJump, { cron }: Times): Date | null {
  if (cron.trim().split(/\s+/)[1] === '*') return null
  const next = open({ cron, timeZone: 'UTC' }).nextRun(new Date(from - 1))
  return next && next.getTime() < until ? next : null
}

function inOrder(times: Date[]): Date[] {
  const each = new Set(times.map((at) => at.getTime()))
  return [...each].sort((a, b) => a - b).map((at) => new Date(at))
}

export function isTimeOf(times: Times, at: Date): boolean {
  const [next] = nextTimes(times, new Date(at.getTime() - 1), 1)
  return next?.getTime() === at.getTime()
}

function open({ cron, timeZone: timezone }: Times): Cron {
  return new Cron(cron, { timezone, paused: true })
}

/** Returns set times in words, "At 08:00, Monday through Friday, Europe/Berlin"; as they are written where there are no words. */
export function timesWords({ cron, timeZone }: Times): string {
  const words = cronWords(cron)
  return words === null ? `${cron} ${timeZone}` : `${words}, ${timeZone}`
}

/** Returns a time as the clock of a zone shows it. */
export function timeWords({ timeZone }: Pick<Times, 'timeZone'>, at: Date): string {
  const format = { dateStyle: 'full', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat('en-GB', format).format(at)
}
