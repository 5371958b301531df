'use client'
import { RelativeTime } from '@/components/ui/relative-time'
import { Tooltip } from '@/components/ui/tooltip'
import { useNow } from '@/components/ui/use-now'
import type { Schedule } from '@/lib/domains/schedules/shape'
import { cronFault, nextTimes, timesWords } from '@/lib/domains/schedules/shared/cron'
import { cronWords } from '@/lib/domains/schedules/shared/cron-words'
import { isTimeZone } from '@/lib/words/time-zone'

type Times = Pick<Schedule, 'cron' | 'timeZone'>

/** Shows when a schedule runs in words, with the expression on hover or focus; the expression itself where there are none. */
export function Times({ schedule: { cron, timeZone } }: { schedule: Times }) {
  if (cronWords(cron) === null) return <Expression text={timesWords({ cron, timeZone })} />
  return (
    <Tooltip content={<Expression text={cron} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the expression must be reachable by keyboard */}
      <span tabIndex={0}>{timesWords({ cron, timeZone })}</span>
    </Tooltip>
  )
}

/** Shows the words of an expression, and the expression below them. */
export function TimesFact({ cron }: { cron: string }) {
  const words = cronWords(cron)
  return (
    <span className="flex flex-col">
      {words}
      <span className={words === null ? undefined : 'text-muted text-sm'}>
        <Expression text={cron} />
      </span>
    </span>
  )
}

function Expression({ text }: { text: string }) {
  return <code className="whitespace-nowrap font-mono text-mono">{text}</code>
}

const readerFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })

/** Shows what the typed expression means, and its next time on the reader's clock. Nothing is shown before all is typed. */
export function TimesPreview({ cron, timeZone }: Times) {
  const now = useNow()
  const times = { cron: cron.trim(), timeZone: timeZone.trim() }
  if (times.cron === '' || !isTimeZone(times.timeZone)) return null
  const fault = cronFault(times.cron)
  if (fault !== null) return times.cron.split(/\s+/).length < 5 ? null : <span>{fault}</span>
  const [next] = nextTimes(times, new Date(now), 1)
  return (
    <span className="block text-strong">
      {timesWords(times)}.{' '}
      {next && (
        <span className="font-normal text-muted">
          Next: {readerFormat.format(next)} on your clock, <RelativeTime at={next.getTime()} />.
        </span>
      )}
    </span>
  )
}
