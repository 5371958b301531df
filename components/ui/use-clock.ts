'use client'
import { useSyncExternalStore } from 'react'

/**
 * Now in milliseconds since 1970, down to a whole `tickMs`; one clock of each kind for all of a page. Null while React
 * takes over what the server wrote: an element with `suppressHydrationWarning` keeps the server's words then, and
 * changes only if the reader's clock says something else.
 */
export function useClock(tickMs: number): number | null {
  const { subscribe, read } = clockOf(tickMs)
  return useSyncExternalStore(subscribe, read, typeof window === 'undefined' ? read : never)
}

type Clock = { subscribe: (listener: () => void) => () => void; read: () => number }
const clocks = new Map<number, Clock>()
const never = () => null

function clockOf(tickMs: number): Clock {
  const known = clocks.get(tickMs)
  if (known) return known
  const clock = newClock(tickMs)
  clocks.set(tickMs, clock)
  return clock
}

function newClock(tickMs: number): Clock {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    read: () => Math.floor(Date.now() / tickMs) * tickMs,
    subscribe: (listener) => {
      listeners.add(listener)
      // Looked at more often than it ticks, so that no tick comes much too late.
      timer ??= setInterval(() => {
        for (const wake of listeners) wake()
      }, tickMs / 4)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
