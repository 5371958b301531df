'use client'
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'

const RenderedAt = createContext<number | null>(null)

/** Tells what is inside when the server rendered the page (ms since 1970). */
export function NowProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  return <RenderedAt value={renderedAt}>{children}</RenderedAt>
}

/**
 * Returns the time in milliseconds since 1970, rounded down to a whole `tickMs`, and renders again at each tick. On the
 * server and during hydration it is the time at which the server rendered the page, so that both write the same; then
 * it is the reader's clock. All users of one `tickMs` share a timer. What a component shows of the time comes from here:
 * `Date.now()` in a render gives another answer in the browser than on the server.
 */
export function useNow(tickMs = 15_000): number {
  const renderedAt = useContext(RenderedAt)
  const { subscribe, read } = clockOf(tickMs)
  return useSyncExternalStore(subscribe, read, () => {
    if (renderedAt === null) throw new Error('useNow needs a NowProvider around it.')
    return roundDown(renderedAt, tickMs)
  })
}

type Clock = { subscribe: (listener: () => void) => () => void; read: () => number }
const clocks = new Map<number, Clock>()

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
    read: () => roundDown(Date.now(), tickMs),
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

function roundDown(ms: number, tickMs: number): number {
  return Math.floor(ms / tickMs) * tickMs
}
