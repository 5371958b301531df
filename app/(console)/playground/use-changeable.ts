'use client'
import { useQuery } from '@tanstack/react-query'
import type { Changeable } from '@toolgate/server/runs/start/changeable'
import { readThrough } from '@/components/shell/queries'
import { readChangeableForMe } from './actions'

/** Settings that may be changed for a single run of this configuration; `changeable` null: none. */
export type KnownChangeable = { configurationId: string | null; changeable: Changeable | null }

/** Returns what may be changed for a run of the picked configuration; null while it is read. */
export function useChangeable(
  initial: KnownChangeable,
  configurationId: string | null,
): Changeable | null {
  const { data } = useQuery({
    queryKey: ['changeable', configurationId],
    queryFn: () => readThrough(() => readChangeableForMe({ configuration: configurationId })),
    initialData: initial.configurationId === configurationId ? initial.changeable : undefined,
    staleTime: 60_000,
  })
  return data ?? null
}
