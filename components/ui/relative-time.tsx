'use client'
import { useSyncExternalStore } from 'react'
import { formatRelativeTime } from '@/lib/protocol/format'
import { Tooltip } from './tooltip'

/**
 * When something happened, seen from now; the exact time in the reader's zone on hover or focus. `at` is an ISO
 * string or milliseconds since 1970. The server, which knows neither clock nor zone of the reader, says it in UTC.
 */
export function RelativeTime({ at, className }: { at: string | number; className?: string }) {
  const now = useSyncExternalStore(subscribe, currentMinute, () => null)
  const date = new Date(at)
  const iso = date.toISOString()
  if (now === null) {
    return (
      <time dateTime={iso} className={className}>
        {iso.slice(0, 16).replace('T', ' ')} UTC
      </time>
    )
  }
  return (
    <Tooltip content={exact.format(date)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <time dateTime={iso} tabIndex={0} className={className}>
        {formatRelativeTime(date.getTime(), now)}
      </time>
    </Tooltip>
  )
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })
const tickMs = 15_000

// One clock for all times on a page.
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const wake of listeners) wake()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / tickMs) * tickMs
}
