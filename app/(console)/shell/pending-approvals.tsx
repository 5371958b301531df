'use client'
import { usePathname } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { z } from 'zod'

const checkEveryMs = 30_000
const Answer = z.object({ pending: z.int().nonnegative() })

type Pending = {
  /** Calls that wait for a word and that this reader may see. */
  count: number
  /** Asks at once: for whoever has a reason to think that it changed. Resolves with whether the server answered. */
  check: () => Promise<boolean>
}
const PendingContext = createContext<Pending>({ count: 0, check: async () => false })

export function usePendingApprovals(): Pending {
  return useContext(PendingContext)
}

/** Keeps the number beside Approvals true: asks now and then, when the tab comes back and on each page. */
export function PendingApprovals({ initial, children }: { initial: number; children: ReactNode }) {
  const pathname = usePathname()
  const [count, setCount] = useState(initial)
  const [rendered, setRendered] = useState(initial)
  // The server rendered the frame anew and knows better.
  if (initial !== rendered) {
    setRendered(initial)
    setCount(initial)
  }
  const check = useCallback(async () => {
    const pending = await readPending()
    if (pending !== undefined) setCount(pending)
    return pending !== undefined
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

  return <PendingContext value={{ count, check }}>{children}</PendingContext>
}

/** Undefined = the server did not say: it is away, or the session is over. */
async function readPending(): Promise<number | undefined> {
  try {
    const response = await fetch('/api/approvals/pending', { cache: 'no-store' })
    if (!response.ok) return undefined
    return Answer.parse(await response.json()).pending
  } catch {
    return undefined
  }
}
