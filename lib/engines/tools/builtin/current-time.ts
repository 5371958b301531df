import { z } from 'zod'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'

export default defineTool({
  name: 'current_time',
  isPlain: true,
  description:
    'Returns the time now: date, weekday, time of day and offset in a time zone, the same in UTC, and seconds since 1970. Use it ' +
    'whenever an answer depends on today, now, or how long ago something was.',
  group: 'web',
  parameters: z.object({
    zone: z
      .string()
      .max(60)
      .default('UTC')
      .describe('A name of the IANA list, such as Europe/Berlin or America/New_York.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  trusted: true,
  dataClass: 'public',
  timeoutMs: 5_000,
  limits: [],
  example: { zone: 'Europe/Berlin' },
  execute: async ({ zone }) => ({ content: timeIn(zone, new Date()) }),
})

function timeIn(zone: string, now: Date) {
  const parts = new Map(partsOf(zone, now).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  // "GMT" stands for no offset, "GMT+05:30" for one.
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  const time = `${part('hour')}:${part('minute')}:${part('second')}`
  return {
    zone,
    weekday: part('weekday'),
    date,
    time,
    offset,
    iso: `${date}T${time}${offset}`,
    utc: now.toISOString(),
    unixSeconds: Math.floor(now.getTime() / 1_000),
  }
}

function partsOf(zone: string, now: Date): Intl.DateTimeFormatPart[] {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    }).formatToParts(now)
  } catch {
    throw new ToolError(
      'unknown-zone',
      'There is no such time zone. Use a name such as Europe/Berlin, Asia/Tokyo or UTC.',
    )
  }
}
