import { startTransition, useEffect, useState } from 'react'

export const firstRounds = 50
const moreRounds = 100

/**
 * Returns how many rounds are shown: those of a long run follow the first ones a hundred at a time, so that the page
 * opens at once and answers all the while. In the end all of them are there, for the keyboard, the browser's search and
 * screen readers.
 */
export function useShown(rounds: number): number {
  const [shown, setShown] = useState(firstRounds)
  useEffect(() => {
    if (shown >= rounds) return
    const timer = setTimeout(() => startTransition(() => setShown(shown + moreRounds)))
    return () => clearTimeout(timer)
  }, [shown, rounds])
  return Math.min(shown, rounds)
}
