export const minuteMs = 60_000

/** Says what the time zone of the reader's browser is. The browser writes it. */
export const zoneCookie = 'toolgate-zone'

export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format() !== ''
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the function from a moment to what the clock of a zone is ahead of UTC, in milliseconds. */
export function offsetOf(timeZone: string): (at: number) => number {
  const format = formats.get(timeZone) ?? newFormat(timeZone)
  formats.set(timeZone, format)
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const [year = 0, month = 0, day = 0] = [parts.get('year'), parts.get('month'), parts.get('day')]
    const clock = Date.UTC(year, month - 1, day, parts.get('hour'), parts.get('minute'))
    return clock - Math.floor(at / minuteMs) * minuteMs
  }
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const time = { hour: two, minute: two, hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: two,
    day: two,
    timeZone,
    ...time,
  })
}
