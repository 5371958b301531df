'use client'
import { usePathname } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { z } from 'zod'
import { countOf } from '@/lib/protocol/format'

const checkEveryMs = 30_000
const count = z.int().nonnegative()
const Answer = z.object({ pending: count, alerts: count })
type Answer = z.infer<typeof Answer>

type Pending = {
  /** The number of calls that wait for approval and that this reader may see. */
  count: number
  /** Alerts of budgets that no admin has seen; 0 for members. */
  alerts: number
  /** Asks the server now, when something may have changed. Resolves with whether the server answered. */
  check: () => Promise<boolean>
}
/** Returns the badges of the rail by the path of their page; a page without a badge has no entry. */
export function badgesOf({ count, alerts }: Pick<Pending, 'count' | 'alerts'>): Map<string, Badge> {
  const all: [href: string, badge: Badge][] = [
    ['/approvals', { count, words: `${countOf(count, 'call')} waiting for approval` }],
    ['/budgets', { count: alerts, words: countOf(alerts, 'budget alert') }],
  ]
  return new Map(all.filter(([, badge]) => badge.count > 0))
}

/** `words` say what is counted: "3 calls waiting for approval". */
export type Badge = { count: number; words: string }

const PendingContext = createContext<Pending>({ count: 0, alerts: 0, check: async () => false })

export function usePendingApprovals(): Pending {
  return useContext(PendingContext)
}

/** Keeps the badges of Approvals and Budgets up to date: asks at intervals, when the tab is shown and on each page. */
export function PendingApprovals({
  initial,
  children,
}: {
  initial: { pending: number; alerts: number }
  children: ReactNode
}) {
  const pathname = usePathname()
  const [known, setKnown] = useState(initial)
  const [rendered, setRendered] = useState(initial)
  // The server rendered the frame again, and its numbers are newer.
  if (initial.pending !== rendered.pending || initial.alerts !== rendered.alerts) {
    setRendered(initial)
    setKnown(initial)
  }
  const check = useCallback(async () => {
    const answer = await readPending()
    if (answer !== undefined) setKnown(answer)
    return answer !== undefined
  }, [])

  // Outside system: the server. The frame is not rendered again for another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    void check()
  }, [check, pathname])
  // Outside systems: the clock and the tab.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void check()
    }
    const timer = setInterval(look, checkEveryMs)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [check])

  const { pending, alerts } = known
  return <PendingContext value={{ count: pending, alerts, check }}>{children}</PendingContext>
}

/** Returns undefined when the server gave no answer: it is down, or the session is over. */
async function readPending(): Promise<Answer | undefined> {
  try {
    const response = await fetch('/api/approvals/pending', { cache: 'no-store' })
    if (!response.ok) return undefined
    return Answer.parse(await response.json())
  } catch {
    return undefined
  }
}
