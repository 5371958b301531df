'use client'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect } from 'react'
import { countOf } from '@/lib/words/format'
import { readJson, useLive } from './queries'

type Answer = { pending: number; alerts: number; consents: number }

/** Says whether it is an answer with all counts; a check by hand, because every page loads this. */
function isAnswer(body: unknown): body is Answer {
  const { pending, alerts, consents } = Object(body)
  return [pending, alerts, consents].every((count) => Number.isSafeInteger(count) && count >= 0)
}

const query = {
  key: ['pending approvals'],
  read: ({ signal }: { signal: AbortSignal }) =>
    readJson('/api/approvals/pending', isAnswer, signal),
}

/** Returns when the server last answered, in milliseconds since 1970, and asks it every `everyMs`. */
export function useLastAnswer(everyMs: number): number {
  return useLive({ ...query, everyMs }).dataUpdatedAt
}

/** Returns a function that asks the server now, when something may have changed. */
export function usePendingCheck(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.refetchQueries({ queryKey: query.key }), [client])
}

/** `words` name what is counted: "3 calls waiting for approval". */
export type Badge = { count: number; words: string }

const BadgesContext = createContext<Map<string, Badge>>(new Map())

/** Returns the badges of the rail by the path of their page; a page without a badge has no entry. */
export function useBadges(): Map<string, Badge> {
  return useContext(BadgesContext)
}

/**
 * Keeps the badges of Approvals and Budgets up to date. `pending`: the calls that wait for approval and that this
 * reader may see. `consents`: the schedules that ask to run as them. `alerts`: the alerts of budgets that no admin has seen; 0 for members.
 */
export function PendingApprovals({ initial, children }: { initial: Answer; children: ReactNode }) {
  const client = useQueryClient()
  const { data } = useLive({ ...query, everyMs: 30_000, initial })
  // External system: the server, which rendered the frame again. Its numbers are newer.
  const { pending, alerts, consents } = initial
  useEffect(() => {
    client.setQueryData(query.key, { pending, alerts, consents })
  }, [client, pending, alerts, consents])
  return <BadgesContext value={badgesOf(data ?? initial)}>{children}</BadgesContext>
}

function badgesOf({ pending, alerts, consents }: Answer): Map<string, Badge> {
  const waiting = [
    ...(pending > 0 ? [`${countOf(pending, 'call')} waiting for approval`] : []),
    ...(consents > 0 ? [`${countOf(consents, 'schedule')} waiting for your consent`] : []),
  ]
  const all: [href: string, badge: Badge][] = [
    ['/approvals', { count: pending + consents, words: waiting.join(', ') }],
    ['/budgets', { count: alerts, words: countOf(alerts, 'budget alert') }],
  ]
  return new Map(all.filter(([, badge]) => badge.count > 0))
}
