'use client'

import { useNow } from '@/components/ui/use-now'

/**
 * Shows the time since `since` (ms since 1970) in whole seconds. It ticks by itself, so that nothing around it renders
 * again.
 */
export function Elapsed({ since }: { since: number }) {
  const now = useNow(1_000)
  return <span className="numeric">{clock(Math.max(0, now - since))}</span>
}

/** Returns "0:07", "2:05", "1:02:05". */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const tail = String(seconds % 60).padStart(2, '0')
  if (hours === 0) return `${minutes}:${tail}`
  return `${hours}:${String(minutes % 60).padStart(2, '0')}:${tail}`
}
