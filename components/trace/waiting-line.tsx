'use client'
import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import Link from 'next/link'
import { reading, readJson } from '@/components/shell/queries'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { type Waiting, waitingWords } from '@/lib/protocol/run/waiting'
import { useReaderRole } from './reader-role'
import { VisibleText } from './visible-text'

/** The first read comes early, for a run that was just started here. A run that does not wait has its round by then. */
const firstMs = 500
const everyMs = 2_000

type Answer = { waiting: Waiting | null }

/** Says whether it is an answer of this server; a check by hand, because the Playground loads this. */
function isAnswer(body: unknown): body is Answer {
  const { waiting } = Object(body)
  if (waiting === null) return true
  const { place, reason } = Object(waiting)
  return Number.isSafeInteger(place) && typeof reason === 'string'
}

/**
 * Returns where a run stands that waits for a place; null = it does not. Asks the server only until the run has begun,
 * while the page is visible. `initial` is what the server knew when it rendered the page.
 */
export function useWaiting(
  runId: string,
  state: RunState,
  initial: Waiting | null,
): Waiting | null {
  const mayWait = state.rounds.length === 0 && state.end === null && !state.cancelRequested
  const { refetchInterval, ...options } = reading(everyMs)
  const { data } = useQuery<Answer>({
    queryKey: ['waiting', runId],
    queryFn: ({ signal }) => readJson(`/api/runs/${runId}/waiting`, isAnswer, signal),
    initialData: { waiting: initial },
    enabled: mayWait,
    ...options,
    refetchInterval: (query) =>
      query.state.dataUpdateCount === 0 && query.state.error === null
        ? firstMs
        : refetchInterval(query),
  })
  return mayWait ? (data?.waiting ?? null) : null
}

/** Says where the run stands and why it waits, at the place of its first round. Admins get a link to the limits. */
export function WaitingLine({ waiting }: { waiting: Waiting }) {
  const admin = useReaderRole() === 'admin'
  return (
    <p className="mt-4 flex items-start gap-1.5 text-waiting">
      <Hourglass className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span className="numeric">
        <VisibleText text={waitingWords(waiting)} />
        {admin && waiting.for !== 'server' && (
          <>
            {' '}
            <Link href="/settings#runs-at-once" className="text-link hover:underline">
              Settings
            </Link>
          </>
        )}
      </span>
    </p>
  )
}
