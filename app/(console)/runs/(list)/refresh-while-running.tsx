'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 3_000

/** Keeps the list true while something in it is under way and somebody looks. */
export function RefreshWhileRunning({ running }: { running: boolean }) {
  const router = useRouter()
  // Outside system: the server's list, which changes without us.
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [running, router])
  return null
}
