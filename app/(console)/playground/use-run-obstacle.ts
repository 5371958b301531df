'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reading, readThrough } from '@/components/shell/queries'
import type { RunObstacle } from '@/lib/runs/run-obstacle'
import { readRunObstacle } from './actions'

type Picked = { configuration: string | null; task: string | null }
/** The server's answer, with the configuration and task that it is about. */
export type KnownObstacle = Picked & { obstacle: RunObstacle | null }

const keyOf = ({ configuration, task }: Picked) => ['run obstacle', configuration, task]

/**
 * Returns what keeps a run from starting now; null = nothing, or not known. Begins with `initial` from the rendered
 * page, and asks the server again after another pick, after a run, when people return to the page, and at intervals.
 */
export function useRunObstacle(initial: KnownObstacle, picked: Picked, running: boolean) {
  const client = useQueryClient()
  const { configuration, task } = picked
  const isAbout = initial.configuration === configuration && initial.task === task
  const { data, refetch } = useQuery({
    queryKey: keyOf(picked),
    queryFn: () => readThrough(() => readRunObstacle({ configuration, task })),
    initialData: isAbout ? initial.obstacle : undefined,
    enabled: !running,
    ...reading(15_000),
  })
  // Outside system: the server, which rendered the page again. Its answer is newer.
  useEffect(() => {
    client.setQueryData(keyOf(initial), initial.obstacle)
  }, [client, initial])
  return { obstacle: data ?? null, look: () => void refetch() }
}
