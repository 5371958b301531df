'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useTransition } from 'react'

const everyMs = 3_000

/** Keeps the list true while something in it is under way and somebody looks. */
export function RefreshWhileRunning({ running }: { running: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  // Outside system: the server's list, which changes without us. Asking again while the page is on its way to somewhere
  // would begin that way anew.
  useEffect(() => {
    if (!running || pending) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') startTransition(() => router.refresh())
    }, everyMs)
    return () => clearInterval(timer)
  }, [running, pending, router])
  return null
}
