'use client'
import { formatRelativeTime } from '@/lib/words/format'
import { Tooltip } from './tooltip'
import { useNow } from './use-now'

/**
 * Shows how long ago something happened, with the exact time in the reader's zone on hover or focus. `at` is an ISO
 * string or milliseconds since 1970.
 */
export function RelativeTime({ at, className }: { at: string | number; className?: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <Tooltip content={<ExactTime date={date} />}>
      <time
        dateTime={date.toISOString()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard
        tabIndex={0}
        className={className}
      >
        {formatRelativeTime(date.getTime(), now)}
      </time>
    </Tooltip>
  )
}

/** Shows when something was added, and when it was last used. */
export function AddedAndUsed({ at, usedAt }: { at: string; usedAt: string | null }) {
  return (
    <>
      <span>
        added <RelativeTime at={at} />
      </span>
      <span>
        {usedAt === null ? (
          'never used'
        ) : (
          <>
            used <RelativeTime at={usedAt} />
          </>
        )}
      </span>
    </>
  )
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })

function ExactTime({ date }: { date: Date }) {
  return exact.format(date)
}
