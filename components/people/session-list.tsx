'use client'
import type { SessionListing } from '@toolgate/server/domains/users/schemas'
import { MonitorSmartphone } from 'lucide-react'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ActionResult } from '@/lib/next/action'
import { browserWords } from './user-words'

/** Shows where an account is signed in. An ended session is refused at its next request. */
export function SessionList({
  sessions,
  currentId,
  end,
}: {
  sessions: SessionListing[]
  /** The session that this page uses. It ends by signing out. */
  currentId: string | null
  end: (input: { sessionId: string }) => Promise<ActionResult<unknown>>
}) {
  const { busy, act } = useAct()
  const press = (sessionId: string) => {
    if (busy) return
    void act(() => end({ sessionId }), {
      done: 'Ended the session',
      failed: 'Not ended',
    })
  }
  if (sessions.length === 0) return <p className="text-muted">Not signed in anywhere.</p>
  return (
    <ul className="divide-y rounded-md border bg-surface-1">
      {sessions.map((session) => (
        <li key={session.id} className="flex items-center gap-3 px-3 py-2">
          <MonitorSmartphone className="size-4 shrink-0 text-muted" aria-hidden />
          <Facts session={session} current={session.id === currentId} />
          {session.id !== currentId && (
            <Button size="sm" aria-disabled={busy || undefined} onClick={() => press(session.id)}>
              End
              <span className="sr-only"> session: {browserWords(session.userAgent)}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Facts({ session, current }: { session: SessionListing; current: boolean }) {
  return (
    <div className="min-w-0 flex-1">
      <p
        className="flex flex-wrap items-center gap-x-2 text-strong"
        title={session.userAgent ?? ''}
      >
        <VisibleText text={browserWords(session.userAgent)} />
        {current && <Badge tone="ok">This session</Badge>}
      </p>
      <p className="flex flex-wrap gap-x-3 text-muted text-sm">
        <span className="font-mono">{session.ipAddress ?? 'address unknown'}</span>
        <span>
          signed in <RelativeTime at={session.createdAt} />
        </span>
        <span>
          last seen <RelativeTime at={session.lastSeenAt} />
        </span>
      </p>
    </div>
  )
}
