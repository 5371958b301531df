'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readJson } from '@/components/shell/queries'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Skeleton } from '@/components/ui/skeleton'
import type { SentRequest } from '@/lib/protocol/model/sent-request'
import { LongText } from './long-text'
import { useTraceFacts } from './trace-context'
import { VisibleText } from './visible-text'

/** Says whether it is an answer of this server; a check by hand, because the Playground loads this. */
function isSentRequest(body: unknown): body is SentRequest {
  const { json, curl, notes } = Object(body)
  return (
    typeof json === 'string' && (curl === null || typeof curl === 'string') && Array.isArray(notes)
  )
}

/** Shows the request of a round as it was sent. It is read when this is opened. */
export function SentRequestView({ round }: { round: number }) {
  const { runId } = useTraceFacts()
  const { data, error, refetch } = useQuery({
    queryKey: ['sent-request', runId, round],
    queryFn: ({ signal }) =>
      readJson(`/api/runs/${runId}/rounds/${round}/request`, isSentRequest, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (error) {
    return (
      <ErrorNotice
        title="Request not shown"
        action={
          <Button size="sm" onClick={() => refetch()}>
            Try again
          </Button>
        }
      >
        The server did not answer.
      </ErrorNotice>
    )
  }
  return data ? (
    <RequestText request={data} label={`Request of round ${round}`} />
  ) : (
    <Skeleton className="h-56 w-full" />
  )
}

/** Shows a request as JSON or as a command, to copy. */
export function RequestText({ request, label }: { request: SentRequest; label: string }) {
  const [form, setForm] = useState<'json' | 'curl'>('json')
  const text = form === 'curl' && request.curl !== null ? request.curl : request.json
  return (
    <section aria-label={label} className="flex flex-col gap-1">
      <ul className="max-w-[72ch] text-muted">
        {request.notes.map((note) => (
          <li key={note}>
            <VisibleText text={note} />
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-1">
        {request.curl !== null &&
          (['json', 'curl'] as const).map((each) => (
            <Button
              key={each}
              size="sm"
              variant="ghost"
              aria-pressed={form === each}
              className={form === each ? 'bg-surface-2 text-strong' : undefined}
              onClick={() => setForm(each)}
            >
              {each === 'json' ? 'JSON' : 'curl'}
            </Button>
          ))}
        <CopyButton
          text={text}
          what={`request as ${form === 'curl' ? 'curl' : 'JSON'}`}
          className="ml-auto"
        />
      </div>
      <LongText key={form} text={text} label={`${label}, whole`} />
    </section>
  )
}
