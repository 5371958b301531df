'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useCallback, useEffect } from 'react'
import { readJson, useLive } from './queries'

type Answer = { freeze: { at: string } | null }

function isAnswer(body: unknown): body is Answer {
  const { freeze } = Object(body)
  return freeze === null || typeof Object(freeze).at === 'string'
}
const key = ['frozen at']

/** Returns a function that asks the server now whether the site was frozen or unfrozen. */
export function useFreezeCheck(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.refetchQueries({ queryKey: key }), [client])
}

/**
 * Updates open pages when the site is frozen or unfrozen. `frozenAt` is the state in which the frame was rendered; when
 * the server's state becomes another one, the frame is rendered again.
 */
export function FreezeWatch({ frozenAt }: { frozenAt: string | null }) {
  const router = useRouter()
  const client = useQueryClient()
  const { data } = useLive({ key, read: readFrozenAt, everyMs: 15_000, initial: frozenAt })
  useEffect(() => {
    client.setQueryData(key, frozenAt)
  }, [client, frozenAt])
  // External system: the server. Refreshes once per change of data; `frozenAt` is no dependency, so a refresh that
  // leaves it as it was is not repeated.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer of the server refreshes
  useEffect(() => {
    if (data !== frozenAt) router.refresh()
  }, [data, router])
  return null
}

async function readFrozenAt({ signal }: { signal: AbortSignal }): Promise<string | null> {
  const { freeze } = await readJson('/api/v1/freeze', isAnswer, signal)
  return freeze?.at ?? null
}
