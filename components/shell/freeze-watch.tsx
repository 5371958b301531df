'use client'
import { usePathname, useRouter } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef } from 'react'
import { z } from 'zod'

const checkEveryMs = 15_000
const Answer = z.object({ freeze: z.object({ at: z.string() }).nullable() })
const CheckContext = createContext<() => void>(() => undefined)

/** Asks at once whether the site was frozen or unfrozen meanwhile: for whoever has a reason to think so. */
export function useFreezeCheck(): () => void {
  return useContext(CheckContext)
}

/**
 * Keeps open pages in step with the freeze: asks now and then, when the tab comes back and on each page. `frozenAt`
 * is what the server said when it rendered the frame; another answer has it rendered anew.
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

/** Undefined = the server did not say: it is away, or the session is over. */
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
