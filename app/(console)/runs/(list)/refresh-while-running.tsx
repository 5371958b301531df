'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useTransition } from 'react'

const everyMs = 3_000

/** Refreshes the list while a run in it is active and the tab is visible. */
export function RefreshWhileRunning({ running }: { running: boolean }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  // Outside system: the server's list. A refresh during a navigation would start that navigation again.
  useEffect(() => {
    if (!running || pending) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') startTransition(() => router.refresh())
    }, everyMs)
    return () => clearInterval(timer)
  }, [running, pending, router])
  return null
}
