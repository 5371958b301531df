'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'
import { usePendingApprovals } from '@/components/shell/pending-approvals'

const everyMs = 10_000

/** Outside systems: the clock, and the badge that may hear of something new first. Reads the list again for both. */
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
    // Asking again while the page is on its way to somewhere would begin that way anew.
    if (pending) return
    const look = async () => {
      // A refresh that finds no server leaves the page, with all that is written on it.
      if (document.visibilityState === 'visible' && (await check())) {
        startTransition(() => router.refresh())
      }
    }
    const timer = setInterval(() => void look(), everyMs)
    return () => clearInterval(timer)
  }, [check, pending, router])
}
