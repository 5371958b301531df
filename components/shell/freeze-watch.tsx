'use client'
import { usePathname, useRouter } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef } from 'react'
import { z } from 'zod'

const checkEveryMs = 15_000
const Answer = z.object({ freeze: z.object({ at: z.string() }).nullable() })
const CheckContext = createContext<() => void>(() => undefined)

/** Returns a function that asks the server now whether the site was frozen or unfrozen. */
export function useFreezeCheck(): () => void {
  return useContext(CheckContext)
}

/**
 * Updates open pages when the site is frozen or unfrozen: asks at intervals, when the tab is shown and on each page.
 * `frozenAt` is the state in which the frame was rendered; when it differs, the frame is rendered again.
 */
export function FreezeWatch({
  frozenAt,
  children,
}: {
  frozenAt: string | null
  children: ReactNode
}) {
  const router = useRouter()
  const pathname = usePathname()
  const known = useRef(frozenAt)
  const check = useCallback(async () => {
    if (document.visibilityState !== 'visible') return
    const at = await readFrozenAt()
    if (at === undefined || at === known.current) return
    known.current = at
    router.refresh()
  }, [router])

  useEffect(() => {
    known.current = frozenAt
  }, [frozenAt])
  // Outside system: the server. The frame is not rendered again for another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    void check()
  }, [check, pathname])
  // Outside systems: the clock and the tab.
  useEffect(() => {
    const look = () => void check()
    const timer = setInterval(look, checkEveryMs)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [check])

  return <CheckContext value={check}>{children}</CheckContext>
}

/** Returns undefined when the server gave no answer: it is down, or the session is over. */
async function readFrozenAt(): Promise<string | null | undefined> {
  try {
    const response = await fetch('/api/v1/freeze', { cache: 'no-store' })
    if (!response.ok) return undefined
    const { freeze } = Answer.parse(await response.json())
    return freeze?.at ?? null
  } catch {
    return undefined
  }
}
