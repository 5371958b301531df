'use client'
import { useSyncExternalStore } from 'react'

/**
 * Returns the time in milliseconds since 1970, rounded down to a whole `tickMs`. All users of one `tickMs` share a
 * clock. Null during hydration: an element with `suppressHydrationWarning` then keeps the server's text, and changes
 * only when the reader's clock gives another one.
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
      // The interval is shorter than a tick, so that no tick is much too late.
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
