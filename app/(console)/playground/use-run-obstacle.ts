'use client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RunObstacle } from '@/lib/runs/run-obstacle'
import { readRunObstacle } from './actions'

const askEveryMs = 15_000

type Picked = { configuration: string | null; task: string | null }
/** The obstacle as the server said it for what was picked then. */
export type KnownObstacle = Picked & { obstacle: RunObstacle | null }

/**
 * What keeps a run from starting now; null = nothing, or not known. `initial` is what the server said when it rendered
 * the page; it is asked again for another pick, when a run has ended, when the tab comes back, and now and then.
 */
export function useRunObstacle(
  initial: KnownObstacle,
  { configuration, task }: Picked,
  running: boolean,
) {
  const [known, setKnown] = useState(initial)
  const asked = useRef(0)
  const ran = useRef(running)

  const look = useCallback(() => {
    if (document.visibilityState !== 'visible') return
    const turn = ++asked.current
    readRunObstacle({ configuration, task })
      .then((answer) => {
        // A later question has its own answer; what cannot be read stays as it was.
        if (turn !== asked.current || !answer.ok) return
        setKnown({ configuration, task, obstacle: answer.value })
      })
      .catch(() => undefined)
  }, [configuration, task])

  useEffect(() => {
    asked.current += 1
    setKnown(initial)
  }, [initial])
  // Outside systems: the server, the clock and the tab.
  useEffect(() => {
    if (running) {
      ran.current = true
      return
    }
    if (ran.current || !isAbout(initial, { configuration, task })) look()
    ran.current = false
    const timer = setInterval(look, askEveryMs)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [look, running, initial, configuration, task])

  return { obstacle: isAbout(known, { configuration, task }) ? known.obstacle : null, look }
}

function isAbout(known: Picked, { configuration, task }: Picked): boolean {
  return known.configuration === configuration && known.task === task
}
