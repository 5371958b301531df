'use client'
import { useState } from 'react'
import { useClock } from './use-clock'

const quietMs = 2_000

/**
 * Says for how long an answer is waited for, and how long that may last at most (ms; left out = no limit of its own).
 * Silent for the first two seconds, when most answers come. Show it while one is awaited, and not inside a live region.
 */
export function Waited({ atMostMs }: { atMostMs?: number }) {
  const seconds = useWaited(true)
  if (seconds === null) return null
  return (
    <span className="numeric self-center text-muted text-sm">
      Waiting for {seconds} s{atMostMs !== undefined && `, at most ${atMostMs / 1000} s`}
    </span>
  )
}

/** Whole seconds since `busy` began; null while it is not, and for the first two. */
export function useWaited(busy: boolean): number | null {
  const [since, setSince] = useState<number | null>(null)
  const now = useClock(1_000)
  if (busy !== (since !== null)) setSince(busy ? Date.now() : null)
  if (since === null || now === null || now - since < quietMs) return null
  return Math.floor((now - since) / 1000)
}
