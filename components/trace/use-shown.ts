import { startTransition, useEffect, useState } from 'react'
import { firstParts, roundsWithin } from '@/lib/protocol/run/run-opening'

const moreParts = 300

/**
 * Returns how many rounds are shown: those of a long run follow the first ones step by step, so that the page opens at once
 * and answers all the while. In the end all of them are there, for the keyboard, the browser's search and screen readers.
 */
export function useShown(rounds: readonly { calls: readonly unknown[] }[]): number {
  const [parts, setParts] = useState(firstParts)
  const shown = roundsWithin(rounds, parts)
  const isShort = shown < rounds.length
  useEffect(() => {
    if (!isShort) return
    const timer = setTimeout(() => startTransition(() => setParts(parts + moreParts)))
    return () => clearTimeout(timer)
  }, [parts, isShort])
  return shown
}
