'use client'
import { useState } from 'react'
import { useNow } from './use-now'

const quietMs = 2_000

/**
 * Shows for how many seconds the page waits for an answer, and the time limit (ms; left out = none). Shows nothing for
 * the first two seconds, in which most answers arrive. Render it only while waiting, and not inside a live region.
 */
export function WaitingTime({ atMostMs }: { atMostMs?: number }) {
  const seconds = useWaitingTime(true)
  if (seconds === null) return null
  return (
    <span className="numeric self-center text-muted text-sm">
      Waiting for {seconds} s{atMostMs !== undefined && `, at most ${atMostMs / 1000} s`}
    </span>
  )
}

/** Returns the whole seconds since `busy` began; null while it is not busy, and for the first two seconds. */
export function useWaitingTime(busy: boolean): number | null {
  const [since, setSince] = useState<number | null>(null)
  const now = useNow(1_000)
  if (busy !== (since !== null)) setSince(busy ? now : null)
  if (since === null || now - since < quietMs) return null
  return Math.floor((now - since) / 1000)
}
