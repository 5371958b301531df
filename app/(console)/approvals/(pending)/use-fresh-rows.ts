'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'
import { usePendingApprovals } from '@/components/shell/pending-approvals'

const everyMs = 10_000

/** Reads the list again at intervals and when the badge changes. Outside systems: the clock and the badge. */
export function useFreshRows(): void {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const { count, check } = usePendingApprovals()
  const known = useRef(count)
  useEffect(() => {
    if (known.current === count) return
    known.current = count
    router.refresh()
  }, [count, router])
  useEffect(() => {
    // A refresh during a navigation would start that navigation again.
    if (pending) return
    const look = async () => {
      // A refresh that cannot reach the server would leave the page and lose what is typed on it.
      if (document.visibilityState === 'visible' && (await check())) {
        startTransition(() => router.refresh())
      }
    }
    const timer = setInterval(() => void look(), everyMs)
    return () => clearInterval(timer)
  }, [check, pending, router])
}
