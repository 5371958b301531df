'use client'

import { useNow } from '@/components/ui/use-now'

/** Shows the time until `until` (ms since 1970): "23 h 59 min left". The title has the exact time. */
export function TimeLeft({ until }: { until: number }) {
  const now = useNow(1_000)
  const iso = new Date(until).toISOString()
  return (
    <time dateTime={iso} title={`${iso.slice(0, 19).replace('T', ' ')} UTC`} className="numeric">
      {timeLeft(until - now)}
    </time>
  )
}

/** Returns the time left in words. The longer it is, the coarser the unit. */
export function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds <= 0) return 'no time left'
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600)]
  if (days > 1) return `${days} d ${hours % 24} h left`
  if (hours > 0) return `${hours} h ${Math.floor(seconds / 60) % 60} min left`
  if (seconds >= 120) return `${Math.floor(seconds / 60)} min left`
  return `${seconds} s left`
}
