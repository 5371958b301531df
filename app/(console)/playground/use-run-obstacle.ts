'use client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { RunObstacle } from '@/lib/runs/run-obstacle'
import { readRunObstacle } from './actions'

const askEveryMs = 15_000

type Picked = { configuration: string | null; task: string | null }
/** The server's answer, with the configuration and task that it is about. */
export type KnownObstacle = Picked & { obstacle: RunObstacle | null }

/**
 * Returns what keeps a run from starting now; null = nothing, or not known. Begins with `initial` from the rendered
 * page, and asks the server again after another pick, after a run, when the tab is shown, and at intervals.
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
        // Ignores answers to earlier questions, and keeps the last answer when reading fails.
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
