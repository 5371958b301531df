'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 1_500

/** Reads the page again while a run of checks goes on: only the server knows when it judges a try or begins the next. */
export function RefreshWhile({ isOpen }: { isOpen: boolean }) {
  const router = useRouter()
  // External system: the tries that servers begin and judge.
  useEffect(() => {
    if (!isOpen) return
    const look = () => {
      if (document.visibilityState === 'visible') router.refresh()
    }
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [isOpen, router])
  return null
}
